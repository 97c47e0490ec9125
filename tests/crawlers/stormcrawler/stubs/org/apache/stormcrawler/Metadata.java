package org.apache.stormcrawler;

import java.util.HashMap;
import java.util.Map;

/** The methods of StormCrawler's class that librobots-stormcrawler uses. */
public class Metadata {
    private final Map<String, String> values = new HashMap<>();

    public void addValue(String key, String value) {
        values.putIfAbsent(key, value);
    }

    public String getFirstValue(String key) {
        return values.get(key);
    }
}
