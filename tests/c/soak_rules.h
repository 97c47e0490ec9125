/* The soak's work with one file: rules and their images, and the texts about the file for people. */
#ifndef ROBOTS_TESTS_SOAK_RULES_H
#define ROBOTS_TESTS_SOAK_RULES_H

#include "soak.h"

/* Made before the threads are, used by all. */
static robots_crawler *crawlers[RECIPES];

static robots_rules *parse_as(const robots_crawler *crawler, const file *body)
{
    char *copy = exact_copy(body->bytes, body->len);
    robots_rules *rules = NULL;

    DEMAND(robots_rules_parse(crawler, copy, body->len, &rules) == ROBOTS_OK);
    free(copy);
    return rules;
}

/* --- rules that all threads ask ------------------------------------------------------------------------------------- */

typedef struct {
    robots_rules *rules; /* a reference of its own; NULL: nothing is here yet */
    file body;
    unsigned recipe;
    robots_verdict words[QUESTIONS]; /* the verdicts that the maker of the rules got */
} asked;

static struct {
    pthread_mutex_t lock;
    asked here;
} places[16];

/* A reference to what is in some place; ended by robots_rules_free. */
static int take(random_state *state, asked *out)
{
    unsigned which = below(state, LENGTH(places));

    locked(&places[which].lock);
    *out = places[which].here;
    out->rules = robots_rules_retain(out->rules);
    unlocked(&places[which].lock);
    return out->rules != NULL;
}

static void put(random_state *state, const asked *new)
{
    unsigned which = below(state, LENGTH(places));
    robots_rules *old;

    locked(&places[which].lock);
    old = places[which].here.rules;
    places[which].here = *new;
    unlocked(&places[which].lock);
    robots_rules_free(old); /* others may be asking it */
}

static void make_rules(random_state *state)
{
    asked new;
    size_t i;

    random_file(state, &new.body);
    new.recipe = below(state, RECIPES);
    if (one_in(state, 2)) {
        robots_crawler *own = crawler_of(new.recipe);

        new.rules = parse_as(own, &new.body);
        robots_crawler_free(own); /* the rules live on */
    } else {
        new.rules = parse_as(crawlers[new.recipe], &new.body);
    }
    for (i = 0; i < QUESTIONS; i++)
        new.words[i] = sound(robots_rules_check(new.rules, URLS[i].ptr, URLS[i].len));
    put(state, &new);
}

static int same_number(double one, double other)
{
    return one == other || (isnan(one) && isnan(other));
}

/* Rules say the same as those that they are, or were made from. */
static void compare(const robots_rules *rules, const asked *with)
{
    uint8_t answers[QUESTIONS], of_image[QUESTIONS];
    robots_rules *borrowed = NULL;
    robots_str image = robots_rules_image(rules);
    size_t i;

    DEMAND(robots_rules_check_batch(rules, batch_text, batch_offsets, QUESTIONS, answers) == ROBOTS_OK);
    DEMAND(robots_rules_borrow_image(image.ptr, image.len, &borrowed) == ROBOTS_OK);
    DEMAND(robots_rules_check_batch(borrowed, batch_text, batch_offsets, QUESTIONS, of_image) == ROBOTS_OK);
    robots_rules_free(borrowed);
    for (i = 0; i < QUESTIONS; i++) {
        uint8_t wanted = in_a_batch(with->words[i]);

        DEMAND(robots_rules_check(rules, URLS[i].ptr, URLS[i].len).bits == with->words[i].bits);
        DEMAND(robots_image_check(image.ptr, image.len, URLS[i].ptr, URLS[i].len).bits == with->words[i].bits);
        DEMAND(answers[i] == wanted && of_image[i] == wanted);
    }
}

static void ask_rules(random_state *state)
{
    asked kept;
    robots_rules *borrowed = NULL;
    robots_str image;
    size_t i;

    if (!take(state, &kept))
        return;
    compare(kept.rules, &kept);
    image = robots_rules_image(kept.rules);
    DEMAND(robots_rules_borrow_image(image.ptr, image.len, &borrowed) == ROBOTS_OK);
    DEMAND(same_number(robots_rules_crawl_delay(kept.rules), robots_rules_crawl_delay(borrowed)));
    DEMAND(sitemap_count(kept.rules) == sitemap_count(borrowed));
    for (i = 0; i <= sitemap_count(kept.rules); i++)
        DEMAND(same_text(sitemap_at(kept.rules, i), sitemap_at(borrowed, i)));
    robots_rules_free(borrowed);
    robots_rules_free(kept.rules);
}

/* The image of shared rules is validated, copied and damaged while others read it. */
static void carry_image(random_state *state)
{
    asked kept;
    robots_rules *again = NULL;
    robots_str image;
    char *copy;
    size_t i;

    if (!take(state, &kept))
        return;
    image = robots_rules_image(kept.rules);
    DEMAND(robots_rules_from_image(image.ptr, image.len, &again) == ROBOTS_OK);
    DEMAND(same_text(image, robots_rules_image(again)));
    copy = exact_copy(image.ptr, image.len);
    if (one_in(state, 2)) { /* the copy of the copy may go to the others */
        asked new = kept;

        new.rules = robots_rules_retain(again);
        put(state, &new);
    }
    robots_rules_free(kept.rules);
    compare(again, &kept);
    robots_rules_free(again);

    copy[below(state, (unsigned)image.len)] ^= (char)(1 << below(state, 8));
    again = NULL;
    DEMAND(robots_rules_from_image(copy, image.len, &again) != ROBOTS_OK && again == NULL);
    for (i = 0; i < QUESTIONS; i++)
        sound(robots_image_check(copy, image.len, URLS[i].ptr, URLS[i].len));
    if (robots_rules_borrow_image(copy, image.len, &again) == ROBOTS_OK)
        (void)sitemap_count(again);
    robots_rules_free(again);
    free(copy);
}

static void whole_sites(random_state *state)
{
    robots_rules *open = NULL, *closed = NULL;
    size_t which = below(state, QUESTIONS - 4); /* a URL, and not that of a robots.txt */

    if (which >= 14)
        which = 0;
    DEMAND(robots_rules_site_wide(ROBOTS_ALLOWED, &open) == ROBOTS_OK && robots_rules_site_wide(ROBOTS_DISALLOWED, &closed) == ROBOTS_OK);
    DEMAND(ROBOTS_VERDICT_ALLOWED(robots_rules_check(open, URLS[which].ptr, URLS[which].len)));
    DEMAND(!ROBOTS_VERDICT_ALLOWED(robots_rules_check(closed, URLS[which].ptr, URLS[which].len)));
    DEMAND(!ROBOTS_VERDICT_ALLOWED(robots_rules_check(NULL, URLS[which].ptr, URLS[which].len)));
    DEMAND(!ROBOTS_VERDICT_ALLOWED(robots_image_check(NULL, 0, URLS[which].ptr, URLS[which].len)));
    DEMAND(!ROBOTS_VERDICT_ALLOWED(robots_rules_check(open, NULL, 1)));
    robots_rules_free(open);
    robots_rules_free(closed);
}

/* --- for people: a study of a file, which many read and few replace ------------------------------------------------- */

enum { PURPOSES = ROBOTS_PURPOSE_OTHER + 1 };

typedef struct {
    robots_explanation *explanation;
    robots_extensions *extensions;
    robots_uses *uses;
    robots_page_controls *page;
    robots_lint_report *report;
    robots_verdict word; /* what is explained */
    size_t url;
    uint32_t says[PURPOSES]; /* the answers that the maker of the uses got for the URL; DENIED after an error */
} study;

static struct {
    pthread_rwlock_t lock;
    study here;
} desks[4];

static void end_study(study *old)
{
    robots_lint_report_free(old->report);
    robots_page_controls_free(old->page);
    robots_uses_free(old->uses);
    robots_extensions_free(old->extensions);
    robots_explanation_free(old->explanation);
}

/* Uses of a file that is perhaps not known, and a page. */
static void write_uses(random_state *state, study *new, const robots_crawler *crawler, const file *body)
{
    static const char *const files[] = {NULL, "", "[]", "[{\"location\": \"/a\", \"tdm-reservation\": 1}]"};
    static const char *const usages[] = {"train-ai=n, search=y;x", "train-ai=y", "\"nonsense"};
    const char *tdm_file = PICK(state, files), *usage = PICK(state, usages), *known = one_in(state, 4) ? NULL : body->bytes;
    robots_use_answer answer = ROBOTS_USE_ANSWER_INIT;
    uint32_t purpose;

    DEMAND(robots_uses_new(crawler, TEXT("https://example.com/"), known, known != NULL ? body->len : 0, tdm_file,
                           tdm_file != NULL ? strlen(tdm_file) : 0, &new->uses) == ROBOTS_OK);
    DEMAND(robots_page_controls_new(crawler, &new->page) == ROBOTS_OK);
    DEMAND(robots_page_controls_add_header(new->page, TEXT("Content-Usage"), usage, strlen(usage)) == ROBOTS_OK);
    DEMAND(robots_page_controls_add_header(new->page, TEXT("Content-Signal"), TEXT("search=yes, use=reference")) == ROBOTS_OK);
    DEMAND(robots_page_controls_add_header(new->page, TEXT("Link"), TEXT("</terms>; rel=\"license\"")) == ROBOTS_OK);
    for (purpose = 0; purpose < PURPOSES; purpose++) {
        robots_status status = robots_use_for(new->uses, URLS[new->url].ptr, URLS[new->url].len, purpose, new->page, NULL, 0, &answer);

        DEMAND(status == ROBOTS_OK || (answer.says == ROBOTS_USE_DENIED && answer.signals == 0));
        DEMAND(known != NULL || answer.says != ROBOTS_USE_ALLOWED);
        new->says[purpose] = answer.says;
    }
}

static void write_study(random_state *state)
{
    asked kept;
    study new = {0};
    unsigned which = below(state, LENGTH(desks));
    const robots_crawler *crawler;
    robots_status status;

    if (!take(state, &kept))
        return;
    robots_rules_free(kept.rules);
    crawler = crawlers[kept.recipe];
    new.url = below(state, QUESTIONS);
    new.word = kept.words[new.url];
    status = robots_rules_explain(crawler, kept.body.bytes, kept.body.len, URLS[new.url].ptr, URLS[new.url].len,
                                  &new.explanation);
    DEMAND(status == ROBOTS_VERDICT_STATUS(new.word) && (new.explanation != NULL) == (status == ROBOTS_OK));
    DEMAND(robots_extensions_parse(crawler, kept.body.bytes, kept.body.len, &new.extensions) == ROBOTS_OK);
    write_uses(state, &new, crawler, &kept.body);
    DEMAND(robots_lint(crawler, kept.body.bytes, kept.body.len, &new.report) == ROBOTS_OK);

    DEMAND(pthread_rwlock_wrlock(&desks[which].lock) == 0);
    end_study(&desks[which].here);
    desks[which].here = new;
    DEMAND(pthread_rwlock_unlock(&desks[which].lock) == 0);
}

static void read_explanation(const study *of)
{
    const robots_explanation *why = of->explanation;
    size_t i;

    if (why == NULL)
        return;
    DEMAND(explained(why).verdict.bits == of->word.bits);
    for (i = 0; i < 3; i++)
        sound(verdict_in(why, (uint32_t)i));
    read_through(explained(why).path);
    read_through(explained(why).token);
    read_through(explained(why).text);
    for (i = 0; i <= agent_count(why); i++) {
        robots_explained_line line = {.size = sizeof line};

        DEMAND((robots_explanation_agent(why, i, &line) == ROBOTS_OK) == (i < agent_count(why)));
        read_through(line.text);
    }
    for (i = 0; i <= match_count(why); i++) {
        robots_explained_rule rule = {.size = sizeof rule};

        DEMAND((robots_explanation_rule(why, i, &rule) == ROBOTS_OK) == (i < match_count(why)));
        read_through(rule.pattern);
    }
}

static void read_report(const robots_lint_report *report)
{
    robots_str text = robots_lint_report_text(report); /* made when first asked for, perhaps by several at once */
    size_t i;

    if (report == NULL)
        return;
    DEMAND(text.len > 0 && robots_lint_report_text(report).ptr == text.ptr);
    read_through(text);
    for (i = 0; i < diagnostic_count(report); i++) {
        robots_lint_diagnostic found = {.size = sizeof found};

        DEMAND(robots_lint_report_get(report, i, &found) == ROBOTS_OK);
        DEMAND(found.message.len > 0 && lint_meaning(found.code).title.len > 0);
        read_through(lint_meaning(found.code).explanation);
        DEMAND(found.severity != ROBOTS_LINT_ERROR || lint_counts(report).errors > 0);
    }
    for (i = 1; i <= lint_counts(report).lines; i++) {
        robots_lint_line line = {.size = sizeof line};

        DEMAND(robots_lint_report_line(report, i, &line) == ROBOTS_OK);
        read_through(line.field);
        read_through(line.value);
    }
}

static void read_extensions(const study *of)
{
    size_t i;

    for (i = 0; i <= extension_count(of->extensions); i++) {
        robots_extension line = {.size = sizeof line};

        DEMAND((robots_extensions_line(of->extensions, i, &line) == ROBOTS_OK) == (i < extension_count(of->extensions)));
        read_through(line.value);
    }
}

/* The answers are those of the maker, in other threads. */
static void read_uses(const study *of)
{
    robots_use_answer answer = ROBOTS_USE_ANSWER_INIT;
    robots_use_signal signals[3];
    char receipt[4096];
    size_t i, len;
    uint32_t purpose;

    for (purpose = 0; of->uses != NULL && purpose < PURPOSES; purpose++) {
        robots_status status = robots_use_for(of->uses, URLS[of->url].ptr, URLS[of->url].len, purpose, of->page, signals, LENGTH(signals), &answer);

        DEMAND(answer.says == of->says[purpose]);
        for (i = 0; i < answer.signals && i < LENGTH(signals); i++) {
            read_through(signals[i].text);
            read_through(signals[i].token);
        }
        if (robots_use_receipt(of->uses, URLS[of->url].ptr, URLS[of->url].len, purpose, of->page, NOW, receipt, sizeof receipt, &len) == ROBOTS_OK)
            DEMAND(status == ROBOTS_OK && receipt[0] == '{' && receipt[len - 1] == '}');
    }
}

/* What `write` makes of a URL is what it makes of that. */
#define DEMAND_SETTLES(write) \
    do { \
        char text[1024], again[1024]; \
        size_t len, again_len; \
        if (write(URLS[of->url].ptr, URLS[of->url].len, text, sizeof text, &len) == ROBOTS_OK) { \
            DEMAND(write(text, len, again, sizeof again, &again_len) == ROBOTS_OK); \
            DEMAND(again_len == len && memcmp(again, text, len) == 0); \
        } \
    } while (0)

static void read_study(random_state *state)
{
    unsigned which = below(state, LENGTH(desks));
    const study *of = &desks[which].here;

    DEMAND(pthread_rwlock_rdlock(&desks[which].lock) == 0);
    read_explanation(of);
    read_report(of->report);
    read_extensions(of);
    read_uses(of);
    DEMAND_SETTLES(robots_origin_key);
    DEMAND_SETTLES(robots_url_to_send);
    DEMAND(pthread_rwlock_unlock(&desks[which].lock) == 0);
}

static void read_constants(random_state *state)
{
    DEMAND(strlen(robots_status_text((robots_status)below(state, 12))) > 0);
    DEMAND(robots_version_number() == ROBOTS_VERSION_NUMBER);
}

static void empty_places(void)
{
    static const asked nothing;
    size_t i;

    for (i = 0; i < LENGTH(places); i++) {
        robots_rules_free(places[i].here.rules);
        places[i].here = nothing;
    }
    for (i = 0; i < LENGTH(desks); i++) {
        end_study(&desks[i].here);
        desks[i].here = (study){0};
    }
}

#endif
