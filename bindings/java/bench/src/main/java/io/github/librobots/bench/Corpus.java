package io.github.librobots.bench;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/** Over all files of the corpus, site by site: 20 URLs of each, or its file. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 2, time = 2)
@Measurement(iterations = 3, time = 2)
public class Corpus {
    /** Shared by all threads. */
    @State(Scope.Benchmark)
    public static class Sites {
        Site[] sites;

        /** Reads the corpus. */
        @Setup
        public void read() {
            sites = Site.corpus();
        }
    }

    /** The position of a thread. */
    @State(Scope.Thread)
    public static class Position {
        private int at;

        Site next(Sites all) {
            at = at + 1 < all.sites.length ? at + 1 : 0;
            return all.sites[at];
        }
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideBytes(Sites all, Position position, Blackhole hole) {
        Site site = position.next(all);
        for (byte[] url : site.bytes) {
            hole.consume(site.rules.isAllowed(url));
        }
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    @Threads(2)
    public void decideBytesTwoThreads(Sites all, Position position, Blackhole hole) {
        decideBytes(all, position, hole);
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideString(Sites all, Position position, Blackhole hole) {
        Site site = position.next(all);
        for (String url : site.urls) {
            hole.consume(site.rules.isAllowed(url));
        }
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideBatchOfText(Sites all, Position position, Blackhole hole) {
        Site site = position.next(all);
        byte[] answers = new byte[Site.URLS];
        site.rules.checkAll(site.text, site.offsets, answers);
        hole.consume(answers);
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideBatchOfBytes(Sites all, Position position, Blackhole hole) {
        Site site = position.next(all);
        hole.consume(site.rules.checkAll(site.bytes));
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideBatchOfStrings(Sites all, Position position, Blackhole hole) {
        Site site = position.next(all);
        hole.consume(site.rules.checkAll(site.list));
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideDropIn(Sites all, Position position, Blackhole hole) {
        Site site = position.next(all);
        for (String url : site.urls) {
            hole.consume(site.dropIn.isAllowed(url));
        }
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideCrawlerCommons(Sites all, Position position, Blackhole hole) {
        Site site = position.next(all);
        for (String url : site.urls) {
            hole.consume(site.theirs.isAllowed(url));
        }
    }

    @Benchmark
    public Object parse(Sites all, Position position) {
        return Site.CRAWLER.parse(position.next(all).body);
    }

    @Benchmark
    public Object parseDropIn(Sites all, Position position) {
        Site site = position.next(all);
        return Site.DROP_IN.parseContent("https://" + site.host + "/robots.txt", site.body, "text/plain", Site.NAMES);
    }

    @Benchmark
    public Object parseCrawlerCommons(Sites all, Position position) {
        Site site = position.next(all);
        return Site.THEIRS.parseContent("https://" + site.host + "/robots.txt", site.body, "text/plain", Site.NAMES);
    }
}
