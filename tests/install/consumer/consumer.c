/* What a stranger writes first: a verdict, and the version that is running. */
#include <librobots.h>

#include <stdio.h>
#include <string.h>

int main(void)
{
    static const char body[] = "user-agent: *\ndisallow: /private/\n";
    static const char url[] = "https://example.com/private/diary";
    robots_crawler *crawler = NULL;
    robots_rules *rules = NULL;
    robots_verdict verdict;

    if (robots_crawler_new("ExampleBot", strlen("ExampleBot"), &crawler) != ROBOTS_OK ||
        robots_rules_parse(crawler, body, strlen(body), &rules) != ROBOTS_OK)
        return 1;
    verdict = robots_rules_check(rules, url, strlen(url));
    printf("%s by line %u, says %s\n", ROBOTS_VERDICT_ALLOWED(verdict) ? "allowed" : "disallowed",
           (unsigned)ROBOTS_VERDICT_LINE(verdict), ROBOTS_VERSION);
    robots_rules_free(rules);
    robots_crawler_free(crawler);
    return 0;
}
