/**
 * Parses robots.txt files and decides which URLs a crawler may fetch.
 *
 * <pre>{@code
 * Crawler crawler = Crawler.of("ExampleBot");            // once per crawler
 * Rules rules = crawler.parse(body);                     // once per robots.txt
 * if (rules.isAllowed("https://example.com/page")) {     // once per URL, from any number of threads
 *     ...
 * }
 * }</pre>
 *
 * <p>A crawler of many sites uses a {@link io.github.librobots.RobotsCache}: it returns when to fetch a robots.txt and what a failed
 * fetch means. {@code io.github.librobots.http.RobotsFetcher} fetches with {@code java.net.http}. An
 * {@link io.github.librobots.Explanation} says why a URL is allowed or not; a {@link io.github.librobots.LintReport} lists the faults
 * of a file; a {@link io.github.librobots.Difference} is a path that only one of two sets of rules allows.
 *
 * <p>The decisions are made by the C library {@code librobots}, which the jar contains. "SPEC 8.5" names a row of
 * <a href="https://github.com/librobots/librobots/blob/main/src/spec.md">the specification</a> of that library, where each row has an
 * anchor, such as <a href="https://github.com/librobots/librobots/blob/main/src/spec.md#8.11">#8.11</a>. It is also the manual page
 * {@code librobots-spec(7)}.
 */
@NullMarked
package io.github.librobots;

import org.jspecify.annotations.NullMarked;
