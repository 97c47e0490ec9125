package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** The shared case files, one by one, in a batch, and through an image. */
class CasesTest {
    @TestFactory
    Stream<DynamicTest> cases() {
        return Cases.all().stream().map(one -> DynamicTest.dynamicTest(one.title, one::run));
    }

    @Test
    void areThere() {
        List<Cases.Case> cases = Cases.all();
        assertTrue(cases.size() > 100, () -> "only " + cases.size() + " cases");
    }
}
