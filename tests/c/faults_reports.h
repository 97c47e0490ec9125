/* Calls that explain, lint, and read other records; a part of test_faults.c. */
#ifndef ROBOTS_TESTS_FAULTS_REPORTS_H
#define ROBOTS_TESTS_FAULTS_REPORTS_H

static robots_status rules_explain(void)
{
    return robots_rules_explain(crawler, short_body, short_len, url, url_len, &explanation);
}

static robots_status extensions_parse(void)
{
    return robots_extensions_parse(crawler, body, body_len, &extensions);
}

static void with_extensions(void)
{
    with_rules();
    must(extensions_parse());
}

static robots_status extensions_preferences(void)
{
    return robots_extensions_preferences(extensions, TEXT("/p/q"), &preferences);
}

static robots_status preferences_from_header(void)
{
    return robots_preferences_from_header(TEXT("train-ai=n, search=y, a=(1 2);b"), &preferences);
}

static robots_status page_controls_new(void)
{
    return robots_page_controls_new(crawler, &page);
}

static void with_page(void)
{
    with_crawler();
    must(page_controls_new());
}

/* After an error nothing is permitted. */
static robots_status closed_if_failed(robots_status status)
{
    if (status != ROBOTS_OK && control_value(page, ROBOTS_CONTROL_FOLLOW) != 0)
        give_up("a page that was not read permits", status);
    return status;
}

static robots_status page_controls_add_header(void)
{
    robots_status status = robots_page_controls_add_header(page, TEXT("Content-Usage"), TEXT("train-ai=n, search=y"));

    if (status == ROBOTS_OK)
        status = robots_page_controls_add_header(page, TEXT("X-Robots-Tag"), TEXT("noindex, noai, max-snippet: 5"));
    return closed_if_failed(status);
}

static robots_status page_controls_add_meta(void)
{
    return closed_if_failed(robots_page_controls_add_meta(page, TEXT("examplebot"), TEXT("noarchive, noai, x: y")));
}

static robots_status lint(void)
{
    return robots_lint(crawler, short_body, short_len, &report);
}

/* One fault of nearly every kind, each with words of its own. */
static const char FAULTY[] =
    "\xef\xbb\xbf" "Disallow: /early\nCrawl-delay: 1\n"
    "User-agent:\nUser-agent: *x\nUser-agent: Mozilla/5.0 (compatible; xbot/1)\nUser-agent: (a/b)\nUser-agent: a*b\n"
    "User-agent: a,b\nUser-agent: a b\nUser-agent: a/1\nUser-agent: n\xc3\xa4me\nUser-agent: b2\nUser-agent: B2\n"
    "Sitemap: /s.xml\nUser-agent: c\nCrawl-delay: x\nCrawl-delay: 99\nUser-agent: d\nCrawl-delay: 98\nDisallow:\n"
    "Allow:\nDisallow: /a /b\nDisallow: /a b\nDisallow: /%zz\nDisallow: /[0-9]+\nDisallow: /a$b\nDisallow: /a**b\n"
    "Disallow: /a*\nDisallow: /x#y\nDisallow: #y\nDisallow: ?q\nDisallow: q\nDisallow: https://x/y\nDisallow: http://x?y\n"
    "Disallow: /robots.txt\nDisallow: /a\nDisallow: /a\nAllow: /a\nAllow: /b/\nDisallow: /b/c$\nDisallow: /b/c\n"
    "Disallow: /b/%3a\nAllow: /d/index.html\nDisallow: /d/*?\nDisallow: /\xff\nDisallow: /\xe2\x80\x8b\n"
    "Dissallow: /x\nDisallow /x\nDisalow /x\nUseragent: e\nDisallows: /y\nDisalllow: /y\nagent: f\nfoo: bar\nfoo bar\n"
    ": x\n// x\nhttps://example.com/\nSitemap https://x/y:z\nNo\xe2\x80\x8bname: x\nSitemap: http://x/ y\nSitemap:\n"
    "Sitemap: http://x/y\nSitemap: http://x/y\nSitemap: ssh://x\nSitemap: //x/y\nnoindex: /\nhost: h\nRequest-rate: x\n"
    "Visit-time: x\nContent-Signal: x\nUser-agent: g\nDisallow: /nul\0\n\nUser-agent: h\nUser-agent: i\n\n"
    "User-agent: *\nDisallow: /\n";

static robots_status lint_faulty(void)
{
    return robots_lint(crawler, FAULTY, sizeof FAULTY - 1, &report);
}

static void with_report(void)
{
    with_crawler();
    must(lint_faulty());
}

static robots_status lint_report_text(void)
{
    return robots_lint_report_text(report).len > 0 ? ROBOTS_OK : ROBOTS_E_MEMORY;
}

#endif
