/**
 * What a robots.txt lets a crawler fetch.
 *
 * <pre>{@code
 * Crawler crawler = Crawler.of("ExampleBot");            // once: who we are
 * Rules rules = crawler.parse(body);                     // once per robots.txt
 * if (rules.isAllowed("https://example.com/page")) ...   // any number of times, from any number of threads
 * }</pre>
 *
 * <p>The answers are those of the C library {@code librobots}, of which a copy is in the jar. Where "SPEC" is named, a row of
 * that library's specification is meant.
 */
package io.github.librobots;
