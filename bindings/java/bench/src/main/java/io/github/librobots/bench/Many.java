package io.github.librobots.bench;

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

/** One site with few or many rules. */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 1)
@Measurement(iterations = 3, time = 1)
public class Many {
    /** The number of rules. */
    @Param({"10", "10000"})
    public int rules;

    private Site site;

    /** Generates the file. */
    @Setup
    public void make() {
        site = new Site("many.example", Site.generate(rules, new Random(1)), new Random(2));
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideBytes(Blackhole hole) {
        for (byte[] url : site.bytes) {
            hole.consume(site.rules.isAllowed(url));
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
    public Object parse() {
        return Site.CRAWLER.parse(site.body);
    }

    @Benchmark
    public Object parseCrawlerCommons() {
        return Site.THEIRS.parseContent("https://many.example/robots.txt", site.body, "text/plain", Site.NAMES);
    }
}
