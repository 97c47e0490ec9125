package org.apache.stormcrawler;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** The methods of StormCrawler's class that librobots-stormcrawler uses. */
public class Metadata {
    private final Map<String, String[]> values = new HashMap<>();

    public void addValue(String key, String value) {
        values.putIfAbsent(key, new String[] {value});
    }

    public String getFirstValue(String key) {
        return values.containsKey(key) ? values.get(key)[0] : null;
    }

    public String[] getValues(String key) {
        return values.get(key);
    }

    public Set<String> keySet() {
        return values.keySet();
    }
}
