package io.github.librobots.spark;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The number of URLs with each answer. */
final class Counters {
    private static final List<String> NAMES = List.of("allowed", "disallowed", "unreachable", "no_capture", "bad_url");

    private final Map<String, Long> numbers = new LinkedHashMap<>();

    Counters() {
        NAMES.forEach(name -> numbers.put(name, 0L));
    }

    void set(String name, long number) {
        if (numbers.replace(name, number) == null) {
            throw new IllegalArgumentException("no counter is called " + name);
        }
    }

    void add(Counters other) {
        other.numbers.forEach((name, number) -> numbers.merge(name, number, Long::sum));
    }

    long total() {
        return numbers.values().stream().mapToLong(Long::longValue).sum();
    }

    Map<String, Long> map() {
        return numbers;
    }

    /** Returns a line such as {@code urls=3 allowed=2 disallowed=1 unreachable=0 no_capture=0 bad_url=0}. */
    @Override
    public String toString() {
        return numbers.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).collect(Collectors.joining(" ", "urls=" + total() + " ", ""));
    }

    /** Reads the line that {@link #toString} returns. */
    static Counters parse(String line) {
        Counters counters = new Counters();
        for (String pair : line.trim().split(" ")) {
            String[] parts = pair.split("=", 2);
            if (!parts[0].equals("urls")) {
                counters.set(parts[0], Long.parseLong(parts[1]));
            }
        }
        return counters;
    }
}
