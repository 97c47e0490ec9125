package io.github.librobots;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Decisions through {@link Scratch}, and without it. */
class ScratchTest {
    private static final byte[] BODY = "User-agent: *\nDisallow: /*no$\n".getBytes(StandardCharsets.US_ASCII);
    private final Rules rules = Crawler.of("ExampleBot").parse(BODY);
    private final byte[] image = rules.image();

    /** Returns {@code <}, a URL of {@code length} bytes and {@code >}. */
    private static byte[] url(int length, boolean allowed) {
        byte[] url = new byte[length + 2];
        Arrays.fill(url, (byte) 'a');
        url[0] = '<';
        url[1] = '/';
        System.arraycopy((allowed ? "yes" : ">no").getBytes(StandardCharsets.US_ASCII), 0, url, length - 2, 3);
        url[length + 1] = '>';
        return url;
    }

    /** Checks decisions on URLs of a length. */
    void decide(int length) {
        for (boolean allowed : new boolean[] {true, false}) {
            byte[] url = url(length, allowed);
            assertEquals(allowed, rules.isAllowed(url, 1, length), "length " + length);
            assertEquals(allowed, rules.check(url, 1, length).allowed(), "length " + length);
            assertEquals(allowed, RulesImage.isAllowed(image, url, 1, length), "length " + length);
        }
    }

    @Test
    void lengthsThatFitAndOthers() {
        for (int length = 4; length < 100; length++) {
            decide(length);
        }
        for (int around : new int[] {Scratch.SIZE - image.length, Scratch.SIZE}) {
            for (int length = around - 2; length <= around + 2; length++) {
                decide(length);
            }
        }
        for (int length : new int[] {5000, 65_536}) {
            decide(length);
        }
        assertEquals(Status.URL, rules.check("/" + "a".repeat(65_536)).status(), "more than 64 KiB (SPEC 8.12)");
        assertEquals(Status.URL, rules.check(new byte[3], 3, 0).status());
        assertEquals(Status.URL, RulesImage.check(image, new byte[3], 3, 0).status());
        assertEquals(Status.IMAGE, RulesImage.check(new byte[0], new byte[0], 0, 0).status());
        // The URL follows the image in memory, and no byte of it is read as a part of the image.
        byte[] half = Arrays.copyOf(image, image.length / 2);
        byte[] rest = Arrays.copyOfRange(image, half.length, image.length);
        assertEquals(Status.IMAGE, RulesImage.check(half, rest, 0, rest.length).status());
    }

    @Test
    void rangesAreChecked() {
        for (int[] range : new int[][] {{0, 5}, {5, 0}, {-1, 2}, {0, -1}, {4, Integer.MAX_VALUE}}) {
            assertThrows(IndexOutOfBoundsException.class, () -> rules.isAllowed(new byte[4], range[0], range[1]));
            assertThrows(IndexOutOfBoundsException.class, () -> RulesImage.isAllowed(image, new byte[4], range[0], range[1]));
        }
        assertThrows(NullPointerException.class, () -> RulesImage.isAllowed(null, new byte[4], 0, 4));
        assertThrows(NullPointerException.class, () -> RulesImage.isAllowed(image, null, 0, 0));
        decide(10); // the memory is free again
    }

    @Test
    void takenMemory() {
        Scratch scratch = Scratch.take(Scratch.NO_OBJECT);
        assertNotNull(scratch);
        try {
            assertNull(Scratch.take(Scratch.NO_OBJECT));
            long address = scratch.copy(BODY, 0, BODY.length);
            decide(10);
            decide(3000);
            byte[] after = new byte[BODY.length];
            Native.copy(address, after);
            assertEquals(new String(BODY, StandardCharsets.US_ASCII), new String(after, StandardCharsets.US_ASCII));
        } finally {
            scratch.release();
        }
        Scratch again = Scratch.take(Scratch.NO_OBJECT);
        assertNotNull(again);
        again.release();
    }

    /** A call in flight keeps a closed object; the last one frees it. */
    @Test
    void closeDuringACall() {
        for (boolean isLast : new boolean[] {true, false}) { // the call with scratch memory
            AtomicInteger freed = new AtomicInteger();
            Shared shared = new Shared("Thing", Handle.of(4096, address -> freed.incrementAndGet()));
            assertFalse(Scratch.isUsing(4096));
            Scratch call = shared.enterWithScratch();
            assertTrue(Scratch.isUsing(4096));
            int other = shared.enter();
            shared.close();
            if (isLast) {
                shared.exit(other);
                assertEquals(0, freed.get());
                shared.exit(call);
            } else {
                shared.exit(call);
                assertEquals(0, freed.get());
                shared.exit(other);
            }
            assertEquals(1, freed.get());
            assertThrows(IllegalStateException.class, shared::enterWithScratch);
            assertThrows(IllegalStateException.class, shared::enter);
            assertFalse(Scratch.isUsing(4096));
            shared.close();
            assertEquals(1, freed.get());
        }
    }

    /** More threads than there are memories, each with URLs of its own. */
    @Test
    void manyThreads() throws InterruptedException {
        AtomicReference<Throwable> failure = new AtomicReference<>();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int t = 0; t < 70; t++) {
            int length = 5 + 37 * t;
            boolean allowed = t % 2 == 0;
            Thread thread = new Thread(() -> {
                try {
                    byte[] url = url(length, allowed);
                    start.await();
                    for (int i = 0; i < 2000; i++) {
                        assertEquals(allowed, rules.isAllowed(url, 1, length));
                        assertEquals(allowed, RulesImage.isAllowed(image, url, 1, length));
                    }
                } catch (Throwable e) {
                    failure.compareAndSet(null, e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        start.countDown();
        for (Thread thread : threads) {
            thread.join();
        }
        assertNull(failure.get());
    }
}
