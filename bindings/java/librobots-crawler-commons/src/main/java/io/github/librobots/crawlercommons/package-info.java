/**
 * The robots.txt interface of crawler-commons, implemented with librobots: replace a {@code SimpleRobotRulesParser} with a
 * {@link io.github.librobots.crawlercommons.LibrobotsParser}.
 *
 * <p>The contract is that of crawler-commons. The decisions differ as follows (SPEC is the specification of librobots; "there" is
 * {@code SimpleRobotRulesParser}):
 * <ul>
 * <li>SPEC 2.6: {@code failedFetch(401)} and 403 allow nothing in {@link io.github.librobots.Dialect#KOSTER1996}; there always all.
 * <li>SPEC 2.7: {@code failedFetch(429)} allows nothing and defers; there it allows all.
 * <li>SPEC 2.17, 4.4: a file that is still compressed by gzip or zstd allows nothing and defers; there it allows all.
 * <li>SPEC 4.1: LF, CR and CRLF end lines; there NEL (U+0085) and the separators U+2028 and U+2029 do, too.
 * <li>SPEC 4.3: a line with HTML tags is read as written; there tags are removed from files that look like HTML or are declared so.
 * <li>SPEC 4.4: a NUL is a byte of its line; there it is white space at the start of a line or value.
 * <li>SPEC 4.5: 512,000 bytes are read, unless {@code setMaxBytes} says more; there all of them.
 * <li>SPEC 5.1: the first colon separates, so {@code sitemap https://example.com/s} is no sitemap; there it is.
 * <li>SPEC 5.4: {@code site-map} counts; there it does not, but other misspellings do ({@code desallow}, {@code crawl delay}).
 * <li>SPEC 6.1: a {@code crawl-delay} between {@code user-agent} lines holds for all of them; there for those before it.
 * <li>SPEC 7.1: {@code isAllowAll} is true also if no group applies; there only without a file, or for an HTML page.
 * <li>SPEC 7.2: names match whole; the deprecated {@code parseContent} with one string matches the start of a name there.
 * <li>SPEC 7.3, 7.6: names may hold digits and dots, in any case of letters; there a name with upper case or {@code *} is an exception.
 *     Of a text with several names, such as {@code Yahoo! Slurp}, each counts (SPEC 7.9).
 * <li>SPEC 7.3: a {@code user-agent} line has one name; the deprecated {@code parseContent} with one string also finds further words of
 *     a line there.
 * <li>SPEC 7.4: {@code user-agent: * bot} names everyone; there nobody.
 * <li>SPEC 8.4: a {@code $} within a rule is an ordinary byte; there such a rule matches nothing.
 * <li>SPEC 8.5: a rule that starts with neither {@code /} nor {@code *} never matches; there an index file is an exception.
 * <li>SPEC 8.5b: text that is not a URL is not allowed; there it counts as {@code /}. A bare path counts as a path.
 * <li>SPEC 8.6: reserved bytes equal their escapes, such as {@code %2C} and {@code ,}; in a query also {@code %2F} and {@code /}, and
 *     {@code %3F} and {@code ?}. There they differ.
 * <li>SPEC 8.9: {@code /robots.txt} is always allowed.
 * <li>SPEC 8.10: {@code Allow: /index.html} stands for {@code /} in {@link io.github.librobots.Dialect#GOOGLE} only; there always, and
 *     {@code Disallow: /index.html} does, too.
 * <li>SPEC 8.11: a URL that clients rewrite, such as {@code /a/../b}, is allowed only if each reading is, except in
 *     {@link io.github.librobots.Dialect#GOOGLE}; there it is taken as it is.
 * <li>SPEC 8.12: a URL with a path of more than 64 KiB is not allowed; there paths have any length.
 * <li>SPEC 9.1: an empty {@code sitemap} line names none; there the robots.txt itself. A line with only a URL is not a sitemap; there
 *     it is one if it contains {@code sitemap}.
 * <li>SPEC 9.2: of several crawl-delays the longest counts; there the first of a group, and of several groups the shortest. A value that
 *     is not a number of seconds is skipped, also {@code +1}; there it may be negative, {@code +1} is 1, and an invalid value hides the
 *     next line. A value above the range of {@code int} is a delay above the limit; there it is ignored.
 * <li>Rules know the lines of their file, so a comment before a rule makes them unequal to those without it; there they are equal.
 * </ul>
 */
package io.github.librobots.crawlercommons;
