/**
 * crawler-commons' interface to robots.txt, answered by librobots: put a
 * {@link io.github.librobots.crawlercommons.LibrobotsParser} where a {@code SimpleRobotRulesParser} was.
 *
 * <p>The contract is crawler-commons' own. The answers are librobots', which differ here (SPEC is the specification of librobots;
 * "there" is {@code SimpleRobotRulesParser}):
 * <ul>
 * <li>SPEC 2.3: {@code failedFetch} of 300-399 but 304, endless redirects, allows all; there it allows nothing and defers.
 * <li>SPEC 2.6: {@code failedFetch(401)} and 403 allow nothing in {@link io.github.librobots.Dialect#KOSTER1996}; there always all.
 * <li>SPEC 2.7: {@code failedFetch(429)} allows nothing and defers; there it allows all.
 * <li>SPEC 4.1: LF, CR and CRLF end lines; there NEL (U+0085) and the separators U+2028 and U+2029 do, too.
 * <li>SPEC 4.3: a line with HTML tags is read as it stands; there tags are taken out of files that look or are declared like HTML.
 * <li>SPEC 4.4: a UTF-16 file has no line that is understood, so all is allowed; there it is decoded. A NUL is an octet of its line;
 *     there it is white space where a line or its value begins.
 * <li>SPEC 4.5: 512,000 octets are read, unless {@code setMaxBytes} says more; there all of them.
 * <li>SPEC 5.1: the first colon separates, so {@code sitemap https://example.com/s} is no sitemap; there it is.
 * <li>SPEC 5.4: {@code site-map} counts; there it does not, but some misspellings more do ({@code desallow}, {@code crawl delay}).
 * <li>SPEC 6.1: a {@code crawl-delay} between {@code user-agent} lines is for all of them; there for those before it.
 * <li>SPEC 7.1: {@code isAllowAll} also where no group applies; there only where there is no file, or a page of HTML.
 * <li>SPEC 7.2: names match whole; the deprecated {@code parseContent} with one string matches the start of a name there.
 * <li>SPEC 7.3, 7.6: names may hold digits and dots, in any case of letters; there those in upper case are refused. What
 *     is no product token, such as two words, is refused, and so is one string without a name; there no file names it.
 * <li>SPEC 7.4: {@code user-agent: * bot} names everyone; there nobody.
 * <li>SPEC 8.4: a {@code $} within a rule is an ordinary octet; there such a rule matches nothing.
 * <li>SPEC 8.5: a rule that starts with neither {@code /} nor {@code *} never matches; there an index file apart.
 * <li>SPEC 8.5b: what is no URL is not allowed; there it counts as {@code /}. A bare path counts as a path.
 * <li>SPEC 8.6: {@code %3A} and {@code %40} are {@code :} and {@code @}, and {@code %2F} and {@code %3F} in a query {@code /} and {@code ?};
 *     there they differ.
 * <li>SPEC 8.9: {@code /robots.txt} may be fetched even where nothing else may.
 * <li>SPEC 8.10: {@code Allow: /index.html} stands for {@code /} in {@link io.github.librobots.Dialect#GOOGLE} only; there always.
 * <li>SPEC 9.1: an empty {@code sitemap} line names none; there the robots.txt itself. A URL alone on its line is no sitemap; there it
 *     is one if {@code sitemap} is in it.
 * <li>SPEC 9.2: of several crawl-delays the longest counts; there the first of a group, and of several groups the shortest. What is
 *     no number of seconds is skipped; there it may be negative, and hides one that follows; {@code +1} is none, and what is
 *     longer than an {@code int} is a delay beyond the limit, there the other way round.
 * </ul>
 */
package io.github.librobots.crawlercommons;
