package io.github.librobots.spark;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** The options of {@link FilterJob}. */
final class FilterOptions {
    static final String HELP = "Usage: spark-submit --class io.github.librobots.spark.FilterJob librobots-spark-all.jar OPTION...\n"
            + "\n"
            + "  --urls PATH             the table of URLs\n"
            + "  --robots PATH           the captures of robots.txt\n"
            + "  --agent TOKEN[,TOKEN]   the product tokens of the crawler\n"
            + "  --on-missing WHAT       URLs of sites without a capture: allow or disallow\n"
            + "  --out PATH              the folder for the result, and for a restart\n"
            + "\n"
            + "  --urls-format FORMAT    parquet (default), orc, json, text, ...\n"
            + "  --url-column NAME       the column of URLs; default: url\n"
            + "  --robots-format FORMAT  warc (default), parquet, ...\n"
            + "  --options OPTIONS       options of the crawler, such as dialect=google\n"
            + "  --keep WHAT             allowed (default), or all: every URL, with its answer in the column robots\n"
            + "  --batch-files N         input files of a batch; default: 256\n"
            + "  --broadcast-mb N        images up to this size are broadcast; default: 256\n"
            + "  --on-damage WHAT        a damaged WARC file: fail (default) or skip\n"
            + "  --max-bytes N           the size limit of a robots.txt in a WARC file, 512000 to 1073741824; default: 512000\n";

    private static final List<String> NEEDED = List.of("urls", "robots", "agent", "on-missing", "out");
    private static final Map<String, String> DEFAULTS = new LinkedHashMap<>();

    static {
        DEFAULTS.put("urls-format", "parquet");
        DEFAULTS.put("url-column", "url");
        DEFAULTS.put("robots-format", "warc");
        DEFAULTS.put("options", "");
        DEFAULTS.put("keep", "allowed");
        DEFAULTS.put("batch-files", "256");
        DEFAULTS.put("broadcast-mb", "256");
        DEFAULTS.put("on-damage", "fail");
        DEFAULTS.put("max-bytes", "512000");
    }

    private final Map<String, String> values;

    private FilterOptions(Map<String, String> values) {
        this.values = values;
    }

    /**
     * Parses the arguments of the command line.
     *
     * @throws IllegalArgumentException with what is wrong
     */
    static FilterOptions parse(String... arguments) {
        Map<String, String> values = new TreeMap<>(DEFAULTS);
        for (int i = 0; i < arguments.length; i += 2) {
            String name = arguments[i].startsWith("--") ? arguments[i].substring(2) : "";
            if (!NEEDED.contains(name) && !DEFAULTS.containsKey(name)) {
                throw new IllegalArgumentException("'" + arguments[i] + "' is no option: --help lists them");
            }
            if (i + 1 == arguments.length) {
                throw new IllegalArgumentException("--" + name + " needs a value");
            }
            values.put(name, arguments[i + 1]);
        }
        for (String name : NEEDED) {
            if (!values.containsKey(name)) {
                throw new IllegalArgumentException("--" + name + " is missing: --help shows what it is");
            }
        }
        FilterOptions options = new FilterOptions(values);
        options.onMissing();
        options.pick("keep", "allowed", "all");
        options.pick("on-damage", "fail", "skip");
        options.number("batch-files", 1);
        options.number("broadcast-mb", 0);
        options.maxBytes();
        Crawlers.make(options.agent(), options.options());
        return options;
    }

    private String pick(String name, String... allowed) {
        String value = values.get(name);
        if (!Arrays.asList(allowed).contains(value)) {
            throw new IllegalArgumentException("--" + name + " is " + String.join(" or ", allowed) + ", not '" + value + "'");
        }
        return value;
    }

    private int number(String name, int least) {
        String value = values.get(name);
        try {
            int number = Integer.parseInt(value);
            if (number >= least) {
                return number;
            }
        } catch (NumberFormatException e) {
            // The message below says what is wrong.
        }
        throw new IllegalArgumentException("--" + name + " is a number, at least " + least + ", not '" + value + "'");
    }

    String urls() {
        return values.get("urls");
    }

    String robots() {
        return values.get("robots");
    }

    String agent() {
        return values.get("agent");
    }

    OnMissing onMissing() {
        return OnMissing.valueOf(pick("on-missing", "allow", "disallow").toUpperCase(Locale.ROOT));
    }

    String out() {
        return values.get("out");
    }

    String urlsFormat() {
        return values.get("urls-format");
    }

    String urlColumn() {
        return values.get("url-column");
    }

    String robotsFormat() {
        return values.get("robots-format");
    }

    String options() {
        return values.get("options");
    }

    boolean keepsAll() {
        return values.get("keep").equals("all");
    }

    int batchFiles() {
        return number("batch-files", 1);
    }

    long broadcastBytes() {
        return (long) number("broadcast-mb", 0) << 20;
    }

    String onDamage() {
        return values.get("on-damage");
    }

    int maxBytes() {
        return Options.maxBytes("--max-bytes", values.get("max-bytes"));
    }

    /** Returns what must be the same in a restart: what decides on the result, not how it is computed. */
    Map<String, String> settings() {
        Map<String, String> settings = new TreeMap<>(values);
        settings.remove("broadcast-mb");
        return settings;
    }
}
