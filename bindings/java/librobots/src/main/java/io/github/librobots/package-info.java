/**
 * What a robots.txt lets a crawler fetch.
 *
 * <pre>{@code
 * Crawler crawler = Crawler.of("ExampleBot");            // once: who we are
 * Rules rules = crawler.parse(body);                     // once per robots.txt
 * if (rules.isAllowed("https://example.com/page")) ...   // any number of times, from any number of threads
 * }</pre>
 *
 * <p>A crawler that fetches many sites asks a {@link io.github.librobots.RobotsCache}, which says when a robots.txt is to be fetched,
 * and what may be done when that fails; {@code io.github.librobots.http.RobotsFetcher} fetches it with {@code java.net.http}. Whoever
 * asks why gets an {@link io.github.librobots.Explanation} or a {@link io.github.librobots.LintReport}.
 *
 * <p>The answers are those of the C library {@code librobots}, of which a copy is in the jar. Where "SPEC" is named, a row of
 * that library's specification is meant.
 */
package io.github.librobots;
