/* The client of tests/wire/run for libcurl: client BASE. */
#include <librobots.h>

#include <curl/curl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROOM = 1 << 16 };

static char body[ROOM];
static size_t body_len;

static size_t keep(char *data, size_t one, size_t len, void *unused)
{
    (void)unused;
    if (body_len + len <= sizeof body)
        memcpy(body + body_len, data, len);
    body_len += len;
    return one * len;
}

static int get(CURL *http, const char *url)
{
    body_len = 0;
    curl_easy_setopt(http, CURLOPT_URL, url);
    return curl_easy_perform(http) == CURLE_OK && body_len <= sizeof body;
}

int main(int argc, char **argv)
{
    static char line[ROOM], url[ROOM], form[ROOM];
    robots_crawler *crawler = NULL;
    robots_rules *rules = NULL;
    CURL *http = curl_easy_init();

    if (argc != 2 || http == NULL || robots_crawler_new("ExampleBot", 10, &crawler) != ROBOTS_OK)
        return 2;
    curl_easy_setopt(http, CURLOPT_USERAGENT, "ExampleBot/1.0");
    curl_easy_setopt(http, CURLOPT_WRITEFUNCTION, keep);
    snprintf(url, sizeof url, "%s/robots.txt", argv[1]);
    if (!get(http, url) || robots_rules_parse(crawler, body, body_len, &rules) != ROBOTS_OK)
        return 2;
    while (fgets(line, sizeof line, stdin) != NULL) {
        size_t len = strlen(line) / 2, form_len, i;

        for (i = 0; i < len; i++) {
            char digits[3] = {line[2 * i], line[2 * i + 1], '\0'};
            url[i] = (char)strtoul(digits, NULL, 16);
        }
        if (robots_url_to_send(url, len, form, sizeof form - 1, &form_len) != ROBOTS_OK) {
            puts("error");
            continue;
        }
        form[form_len] = '\0';
        if (!ROBOTS_VERDICT_ALLOWED(robots_rules_check(rules, form, form_len)))
            puts("forbidden");
        else if (get(http, form))
            printf("sent %s\n", form);
        else
            puts("error");
    }
    robots_rules_free(rules);
    robots_crawler_free(crawler);
    curl_easy_cleanup(http);
    return 0;
}
