/* robots_crawler_new, _add_token, _set: tokens, options and their effects, calls in any order. */
#include "harness.h"
#include "support.h"

static void *const UNTOUCHED = (void *)&harness_failures; /* no handle: shows whether `out` was written */

/* What robots_crawler_new answers to a token; the handle must be there exactly when the status is 0. */
static robots_status status_of_token(const char *token, size_t len)
{
    robots_crawler *crawler = UNTOUCHED;
    robots_status status = robots_crawler_new(token, len, &crawler);

    CHECK((status == ROBOTS_OK) == (crawler != NULL));
    CHECK(crawler != UNTOUCHED);
    if (crawler != UNTOUCHED)
        robots_crawler_free(crawler);
    return status;
}

static void tokens(void)
{
    static const struct {
        const char *token;
        robots_status status;
    } rows[] = {
        {"ExampleBot", ROBOTS_OK},
        {"a", ROBOTS_OK},
        {"_", ROBOTS_OK},
        {"Googlebot-Image", ROBOTS_OK},
        {"MJ12bot", ROBOTS_OK},
        {"360Spider", ROBOTS_OK},
        {"archive.org_bot", ROBOTS_OK},
        {"", ROBOTS_E_TOKEN},
        {" ", ROBOTS_E_TOKEN},
        {"*", ROBOTS_OK}, /* no token: see only_star */
        {"**", ROBOTS_E_TOKEN},
        {"* ", ROBOTS_E_TOKEN},
        {"**", ROBOTS_E_TOKEN},
        {"*Bot", ROBOTS_E_TOKEN},
        {"Example Bot", ROBOTS_E_TOKEN},
        {"ExampleBot ", ROBOTS_E_TOKEN},
        {"ExampleBot/2.1", ROBOTS_E_TOKEN},
        {"ExampleBot\n", ROBOTS_E_TOKEN},
        {"B\xc3\xb6t", ROBOTS_E_TOKEN},
        {"Mozilla/5.0 (compatible; ExampleBot/0.1; +https://example.com/bot)", ROBOTS_E_TOKEN},
    };
    size_t i;

    for (i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        size_t len = strlen(rows[i].token);
        char *copy = exact_copy(rows[i].token, len);

        if (status_of_token(copy, len) != rows[i].status)
            printf("     for the token \"%s\"\n", rows[i].token);
        CHECK_INT(status_of_token(copy, len), rows[i].status);
        free(copy);
    }
    CHECK_INT(status_of_token("Bot\0", 4), ROBOTS_E_TOKEN);  /* the length counts, not the NUL */
    CHECK_INT(status_of_token("Bot/1.0", 3), ROBOTS_OK);
}

static void longest_token(void)
{
    char token[1025];

    memset(token, 'a', sizeof token);
    CHECK_INT(status_of_token(token, 1024), ROBOTS_OK);
    CHECK_INT(status_of_token(token, 1025), ROBOTS_E_TOKEN);
    token[1023] = '/';
    CHECK_INT(status_of_token(token, 1024), ROBOTS_E_TOKEN);
}

/* A crawler without a token of its own: the `*` groups apply to it, and no other. */
static void only_star(void)
{
    static const char body[] = "user-agent: ExampleBot\ndisallow: /a\n\nuser-agent: *\ndisallow: /b\ncrawl-delay: 3\n";
    robots_crawler *crawler = NULL;
    robots_rules *rules;

    CHECK_INT(robots_crawler_new("*", 1, &crawler), ROBOTS_OK);
    rules = parse_for(crawler, body);

    CHECK(allowed(rules, "/a"));
    CHECK_INT(check(rules, "/b").bits, verdict_of(0, ROBOTS_REASON_RULE_DISALLOWED, ROBOTS_OK, 5).bits);
    CHECK(robots_rules_crawl_delay(rules) == 3);
    robots_rules_free(rules);

    rules = parse_for(crawler, "user-agent: ExampleBot\ndisallow: /\n");
    CHECK_INT(check(rules, "/").bits, verdict_of(1, ROBOTS_REASON_NO_GROUP, ROBOTS_OK, 0).bits);
    robots_rules_free(rules);

    /* Without those groups no rule is left. */
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_IGNORE_STAR, 1), ROBOTS_OK);
    rules = parse_for(crawler, body);
    CHECK_INT(check(rules, "/b").bits, verdict_of(1, ROBOTS_REASON_NO_GROUP, ROBOTS_OK, 0).bits);
    robots_rules_free(rules);
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_IGNORE_STAR, 0), ROBOTS_OK);

    /* `*` is no token to be added, but one may be added later. */
    CHECK_INT(robots_crawler_add_token(crawler, "*", 1), ROBOTS_E_TOKEN);
    CHECK_INT(robots_crawler_add_token(crawler, "ExampleBot", 10), ROBOTS_OK);
    rules = parse_for(crawler, body);
    CHECK(!allowed(rules, "/a") && allowed(rules, "/b"));
    robots_rules_free(rules);
    robots_crawler_free(crawler);
}

/* The first of the crawler's tokens that the file names decides. */
static void further_tokens(void)
{
    static const char body[] = "user-agent: news\ndisallow: /news\n\nuser-agent: bot\ndisallow: /bot\n";
    robots_crawler *crawler = new_crawler("images");
    robots_rules *rules;

    CHECK_INT(robots_crawler_add_token(crawler, "News", 4), ROBOTS_OK);
    CHECK_INT(robots_crawler_add_token(crawler, "a b", 3), ROBOTS_E_TOKEN); /* it changes nothing */
    CHECK_INT(robots_crawler_add_token(crawler, "bot", 3), ROBOTS_OK);
    rules = parse_for(crawler, body);
    CHECK(!allowed(rules, "/news"));
    CHECK(allowed(rules, "/bot"));
    robots_rules_free(rules);
    robots_crawler_free(crawler);
}

/* A crawler that is known by a text only. */
static void names_in_a_text(void)
{
    static const char *const names[] = {"Yahoo! Slurp", "*DotBot*", "Mozilla/5.0 (compatible; ExampleBot/1.0)"};
    char body[128];
    size_t i;

    for (i = 0; i < sizeof names / sizeof *names; i++) {
        robots_crawler *crawler = new_crawler("*");
        robots_rules *rules;
        CHECK_INT(robots_crawler_add_names_in(crawler, names[i], strlen(names[i])), ROBOTS_OK);
        sprintf(body, "user-agent: %s\ndisallow: /\n", names[i]);
        rules = parse_for(crawler, body);
        CHECK(!allowed(rules, "/"));
        robots_rules_free(rules);
        robots_crawler_free(crawler);
    }
}

/* 64 tokens, no more; all of them count. */
static void most_tokens(void)
{
    robots_crawler *crawler = new_crawler("bot0");
    robots_rules *rules;
    char token[16];
    int i;

    for (i = 1; i < 64; i++)
        CHECK_INT(robots_crawler_add_token(crawler, token, (size_t)sprintf(token, "bot%d", i)), ROBOTS_OK);
    CHECK_INT(robots_crawler_add_token(crawler, "bot64", 5), ROBOTS_E_ARG);
    CHECK_INT(robots_crawler_add_names_in(crawler, "bot64/1.0", 9), ROBOTS_E_ARG);
    CHECK_INT(robots_crawler_add_names_in(crawler, "Bot63/1.0", 9), ROBOTS_OK);
    rules = parse_for(crawler, "user-agent: bot64\ndisallow: /x\n\nuser-agent: bot63\ndisallow: /y\n");
    CHECK(allowed(rules, "/x"));
    CHECK(!allowed(rules, "/y"));
    robots_rules_free(rules);
    robots_crawler_free(crawler);
}

/* An option that was refused leaves the crawler as it was. */
static void refused_option_changes_nothing(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_rules *rules;

    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_IGNORE_STAR, 1), ROBOTS_OK);
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_IGNORE_STAR, 7), ROBOTS_E_ARG);
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, ROBOTS_DIALECT_KOSTER1996), ROBOTS_OK);
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, 9), ROBOTS_E_ARG);
    rules = parse_for(crawler, "user-agent: *\ndisallow: /\n");
    CHECK(allowed(rules, "/x"));
    robots_rules_free(rules);
    rules = parse_for(crawler, "user-agent: examplebot\ndisallow: /*x\n");
    CHECK(allowed(rules, "/aax")); /* no wildcards in koster1996 */
    CHECK(!allowed(rules, "/*x"));
    robots_rules_free(rules);
    robots_crawler_free(crawler);
}

/* Each option does what it says, and can be taken back. */
static void option_effects(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_rules *rules;
    uint64_t on;

    for (on = 0; on <= 1; on++) {
        CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_IGNORE_STAR, on), ROBOTS_OK);
        rules = parse_for(crawler, "user-agent: *\ndisallow: /\n");
        CHECK_INT(allowed(rules, "/x"), on);
        robots_rules_free(rules);
    }
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_IGNORE_STAR, 0), ROBOTS_OK);

    for (on = 0; on <= 1; on++) {
        CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS, on), ROBOTS_OK);
        rules = parse_for(crawler, "user-agent: ExampleBot\ncrawl-delay: 1\nuser-agent: b\ndisallow: /\n");
        CHECK_INT(allowed(rules, "/x"), on);
        robots_rules_free(rules);
    }
    CHECK_INT(robots_crawler_add_token(crawler, "b", 1), ROBOTS_OK);
    for (on = 0; on <= 1; on++) {
        CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_MERGE_TOKENS, on), ROBOTS_OK);
        rules = parse_for(crawler, "user-agent: ExampleBot\ndisallow: /a\n\nuser-agent: b\ndisallow: /b\n");
        CHECK(!allowed(rules, "/a"));
        CHECK_INT(allowed(rules, "/b"), !on);
        robots_rules_free(rules);
    }
    robots_crawler_free(crawler);
}

/* The size limit: rules past it do not exist, a larger limit brings them back. */
static void size_limit(void)
{
    static const char head[] = "user-agent: *\n", tail[] = "\ndisallow: /x\n";
    size_t len = 600000;
    char *body = malloc(len + 1);
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_rules *rules;

    CHECK(body != NULL);
    if (body == NULL)
        return;
    memset(body, '#', len);
    body[len] = '\0';
    memcpy(body, head, strlen(head));
    memcpy(body + len - strlen(tail), tail, strlen(tail));
    rules = parse_for(crawler, body);
    CHECK(allowed(rules, "/x"));
    robots_rules_free(rules);
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_MAX_BYTES, len), ROBOTS_OK);
    rules = parse_for(crawler, body);
    CHECK(!allowed(rules, "/x"));
    robots_rules_free(rules);
    robots_crawler_free(crawler);
    free(body);
}

/* A dialect may be chosen before or after the tokens: those that are none in it are refused either way. */
static void dialect_and_tokens_in_any_order(void)
{
    robots_crawler *crawler = new_crawler("MJ12bot");

    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, ROBOTS_DIALECT_GOOGLE), ROBOTS_E_TOKEN);
    CHECK_INT(robots_crawler_add_token(crawler, "360Spider", 9), ROBOTS_OK); /* still rfc9309 */
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, ROBOTS_DIALECT_KOSTER1996), ROBOTS_OK);
    robots_crawler_free(crawler);

    crawler = new_crawler("Googlebot");
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, ROBOTS_DIALECT_GOOGLE), ROBOTS_OK);
    CHECK_INT(robots_crawler_add_token(crawler, "360Spider", 9), ROBOTS_E_TOKEN);
    CHECK_INT(robots_crawler_add_token(crawler, "archive.org", 11), ROBOTS_E_TOKEN);
    CHECK_INT(robots_crawler_add_token(crawler, "Googlebot-Image", 15), ROBOTS_OK);
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, ROBOTS_DIALECT_RFC9309), ROBOTS_OK);
    CHECK_INT(robots_crawler_add_token(crawler, "360Spider", 9), ROBOTS_OK);
    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_DIALECT, ROBOTS_DIALECT_GOOGLE), ROBOTS_E_TOKEN);
    robots_crawler_free(crawler);
}

/* A crawler may change after rules were parsed for it, and go before them. */
static void rules_outlive_their_crawler(void)
{
    robots_crawler *crawler = new_crawler("ExampleBot");
    robots_rules *before = parse_for(crawler, "user-agent: *\ndisallow: /\n");
    robots_rules *after;

    CHECK_INT(robots_crawler_set(crawler, ROBOTS_OPT_IGNORE_STAR, 1), ROBOTS_OK);
    after = parse_for(crawler, "user-agent: *\ndisallow: /\n");
    robots_crawler_free(crawler);
    CHECK(!allowed(before, "/x"));
    CHECK(allowed(after, "/x"));
    robots_rules_free(before);
    robots_rules_free(after);
}

int main(void)
{
    static const test tests[] = {
        {"tokens", tokens},
        {"longest token", longest_token},
        {"only `*`", only_star},
        {"further tokens", further_tokens},
        {"names in a text", names_in_a_text},
        {"most tokens", most_tokens},
        {"a refused option changes nothing", refused_option_changes_nothing},
        {"option effects", option_effects},
        {"size limit", size_limit},
        {"dialect and tokens in any order", dialect_and_tokens_in_any_order},
        {"rules outlive their crawler", rules_outlive_their_crawler},
    };

    return RUN_TESTS("crawler", tests);
}
