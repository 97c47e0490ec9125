package io.github.librobots.bench;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Files that say the same about every path to the crawler. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class Whole {
    /** The file; a {@code ;} ends a line. */
    @Param({"", "# nothing;", "User-agent: other;Disallow: /a;", "User-agent: *;Disallow:;", "User-agent: *;Disallow: /;"})
    public String file;

    private Site site;

    /** Parses the file. */
    @Setup
    public void make() {
        site = new Site("whole.example", file.replace(';', '\n').getBytes(StandardCharsets.US_ASCII), new Random(2));
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideDropIn(Blackhole hole) {
        for (String url : site.urls) {
            hole.consume(site.dropIn.isAllowed(url));
        }
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideCrawlerCommons(Blackhole hole) {
        for (String url : site.urls) {
            hole.consume(site.theirs.isAllowed(url));
        }
    }

    @Benchmark
    public Object parseDropIn() {
        return Site.DROP_IN.parseContent("https://whole.example/robots.txt", site.body, "text/plain", Site.NAMES);
    }

    @Benchmark
    public Object parseCrawlerCommons() {
        return Site.THEIRS.parseContent("https://whole.example/robots.txt", site.body, "text/plain", Site.NAMES);
    }
}
