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
        maxBytes = options.getInt("max_bytes", 512_000);
        if (maxBytes < 512_000 || maxBytes > 1 << 30) {
            throw new IllegalArgumentException("max_bytes is 512000 to 1073741824, not " + maxBytes);
        }
        String damage = options.getOrDefault("on_damage", "fail");
        if (!damage.equals("fail") && !damage.equals("skip")) {
            throw new IllegalArgumentException("on_damage is fail or skip, not " + damage);
        }
        skipsDamage = damage.equals("skip");
    }
}
