package io.github.librobots.bench;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.CommandLineOptions;
import org.openjdk.jmh.runner.options.OptionsBuilder;

/** Runs JMH and prints one table: time, allocation, and the speed compared with crawler-commons. */
public final class Main {
    private Main() {}

    /**
     * Runs.
     *
     * @param args options of JMH
     * @throws Exception if JMH cannot
     */
    public static void main(String[] args) throws Exception {
        List<String> jvm = new ArrayList<>(List.of("-Xms512m", "-Xmx512m"));
        jvm.add("-Dcorpus=" + System.getProperty("corpus"));
        ChainedOptionsBuilder options = new OptionsBuilder()
                .parent(new CommandLineOptions(args))
                .addProfiler(GCProfiler.class)
                .jvmArgs(jvm.toArray(new String[0]));
        Collection<RunResult> results = new Runner(options.build()).run();
        Map<String, double[]> rows = new TreeMap<>();
        for (RunResult result : results) {
            String name = result.getParams().getBenchmark().replaceAll(".*\\.(\\w+\\.\\w+)$", "$1");
            String rules = result.getParams().getParam("rules");
            name += rules == null ? "" : " (" + rules + " rules)";
            String file = result.getParams().getParam("file");
            name += file == null ? "" : " (" + (file.isEmpty() ? "an empty file" : file) + ")";
            name += result.getParams().getThreads() > 1 ? " (" + result.getParams().getThreads() + " threads)" : "";
            var allocated = result.getSecondaryResults().get("gc.alloc.rate.norm");
            allocated = allocated == null ? result.getSecondaryResults().get("·gc.alloc.rate.norm") : allocated;
            rows.put(name, new double[] {result.getPrimaryResult().getScore(), allocated == null ? Double.NaN : allocated.getScore()});
        }
        System.out.printf("%n%-66s %12s %12s %12s%n", "per URL, or per file", "ns", "allocated, B", "compared");
        StringBuilder figures = new StringBuilder("with\tJava ").append(Runtime.version().feature());
        rows.forEach((name, row) -> {
            // Compares each row with the row of crawler-commons for the same work.
            String theirs = name.replaceAll("\\.(decide|parse)\\w*", ".$1CrawlerCommons");
            double[] other = rows.get(theirs);
            String times = other == null || theirs.equals(name) ? "" : String.format("%.1f x as fast", other[0] / row[0]);
            System.out.printf("%-66s %12.1f %12.1f %18s%n", name, row[0], row[1], times);
            figures.append(String.format("%n%s, time\t%.1f ns", name, row[0]));
            if (!times.isEmpty()) {
                figures.append(String.format("%n%s\t%.4f", name, other[0] / row[0]));
            }
        });
        if (System.getenv("FIGURES") != null) { // for benches/figures
            Files.writeString(Path.of(System.getenv("FIGURES")), figures);
        }
    }
}
