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
    /** What all threads share. */
    @State(Scope.Benchmark)
    public static class Sites {
        Site[] sites;

        /** Reads the corpus. */
        @Setup
        public void read() {
            sites = Site.corpus();
        }
    }

    /** Where a thread is. */
    @State(Scope.Thread)
    public static class Place {
        private int at;

        Site next(Sites all) {
            at = at + 1 < all.sites.length ? at + 1 : 0;
            return all.sites[at];
        }
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideBytes(Sites all, Place place, Blackhole hole) {
        Site site = place.next(all);
        for (byte[] url : site.octets) {
            hole.consume(site.rules.isAllowed(url));
        }
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    @Threads(2)
    public void decideBytesTwoThreads(Sites all, Place place, Blackhole hole) {
        decideBytes(all, place, hole);
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideString(Sites all, Place place, Blackhole hole) {
        Site site = place.next(all);
        for (String url : site.urls) {
            hole.consume(site.rules.isAllowed(url));
        }
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideBatchOfText(Sites all, Place place, Blackhole hole) {
        Site site = place.next(all);
        byte[] answers = new byte[Site.URLS];
        site.rules.checkAll(site.text, site.offsets, answers);
        hole.consume(answers);
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideBatchOfBytes(Sites all, Place place, Blackhole hole) {
        Site site = place.next(all);
        hole.consume(site.rules.checkAll(site.octets));
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideBatchOfStrings(Sites all, Place place, Blackhole hole) {
        Site site = place.next(all);
        hole.consume(site.rules.checkAll(site.list));
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideDropIn(Sites all, Place place, Blackhole hole) {
        Site site = place.next(all);
        for (String url : site.urls) {
            hole.consume(site.dropIn.isAllowed(url));
        }
    }

    @Benchmark
    @OperationsPerInvocation(Site.URLS)
    public void decideCrawlerCommons(Sites all, Place place, Blackhole hole) {
        Site site = place.next(all);
        for (String url : site.urls) {
            hole.consume(site.theirs.isAllowed(url));
        }
    }

    @Benchmark
    public Object parse(Sites all, Place place) {
        return Site.CRAWLER.parse(place.next(all).body);
    }

    @Benchmark
    public Object parseDropIn(Sites all, Place place) {
        Site site = place.next(all);
        return Site.DROP_IN.parseContent("https://" + site.host + "/robots.txt", site.body, "text/plain", Site.NAMES);
    }

    @Benchmark
    public Object parseCrawlerCommons(Sites all, Place place) {
        Site site = place.next(all);
        return Site.THEIRS.parseContent("https://" + site.host + "/robots.txt", site.body, "text/plain", Site.NAMES);
    }
}
