package io.github.librobots.spark;

import java.io.Serializable;
import org.apache.spark.sql.util.CaseInsensitiveStringMap;

/** The options of {@link WarcSource}. */
final class WarcSettings implements Serializable {
    private static final long serialVersionUID = 1L;

    /** The size limit of a robots.txt (SPEC 4.5). */
    final int maxBytes;
    /** Whether a damaged file ends without an exception. */
    final boolean skipsDamage;

    WarcSettings(CaseInsensitiveStringMap options) {
        Options.requireKnown("robots_warc", options, "path", "paths", "max_bytes", "on_damage");
        maxBytes = Options.maxBytes("the option max_bytes", options.getOrDefault("max_bytes", "512000"));
        String damage = options.getOrDefault("on_damage", "fail");
        if (!damage.equals("fail") && !damage.equals("skip")) {
            throw new IllegalArgumentException("the option on_damage is fail or skip, not '" + damage + "'");
        }
        skipsDamage = damage.equals("skip");
    }
}
