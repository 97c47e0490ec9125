/* librobots.hpp without exceptions, in one program with files that have them: each failure that outside data can cause is a
 * status, and no function here is the one that throws there. */
#include "test_hpp.h"

#include <string>

#if defined(__cpp_exceptions)
#error "compile this file with -fno-exceptions"
#endif

namespace {

constexpr robots::time_point NOW{std::chrono::seconds(1800000000)};
constexpr std::string_view PAGE = "https://example.com/private";

void crawlers(robots::crawler &crawler)
{
    CHECK(robots::crawler::try_make("Example Bot").status() == ROBOTS_E_TOKEN);
    CHECK(robots::crawler::try_preset("x").status() == ROBOTS_E_TOKEN && robots::crawler::try_preset("Googlebot"));
    CHECK(robots::crawler::try_token_from_user_agent("Mozilla/5.0").status() == ROBOTS_E_TOKEN);
    CHECK(*robots::crawler::try_token_from_user_agent("ExampleBot/1.0") == "ExampleBot");
    CHECK(crawler.try_add_token("a b") == ROBOTS_E_TOKEN && crawler.try_set(1000, 0) == ROBOTS_E_ARG);
    CHECK(crawler.try_parse(BODY)->check("/x").allowed());
    // These calls succeed. Their code, which would abort, must not be that of the files with exceptions.
    CHECK(crawler.parse(BODY).check("/x").allowed() && robots::crawler("ExampleBot").add_token("b").lint(BODY).lines().size() == 5);
    CHECK(crawler.try_explain(BODY, "no url").status() == ROBOTS_E_URL && crawler.try_explain(BODY, PAGE)->matches().size() == 1);
    CHECK(crawler.try_extensions(BODY)->size() == 0);
    CHECK(crawler.try_lint(BODY)->lines().size() == 5 && crawler.try_lint("")->size() == 1);
    CHECK(robots::origin::try_from_url("x").status() == ROBOTS_E_URL);
    CHECK(robots::try_url_to_send("x").status() == ROBOTS_E_URL && *robots::try_url_to_send("http://A") == "http://a/");
}

void images(const robots::crawler &crawler)
{
    std::string image(crawler.try_parse(BODY)->image());
    CHECK(robots::rules::try_from_image("x").status() == ROBOTS_E_IMAGE);
    CHECK(robots::rules::try_borrow("x").status() == ROBOTS_E_IMAGE);
    // The header is right, the rest is not: only a function that reads it sees that.
    for (std::size_t i = image.size() / 2; i < image.size(); i++)
        image[i] = '\xff';
    const robots::expected<robots::rules> damaged = robots::rules::try_borrow(image);
    CHECK(damaged && damaged->try_difference(*crawler.try_parse(BODY)).status() == ROBOTS_E_IMAGE);
    CHECK(robots::rule_list::try_make(*damaged).status() == ROBOTS_E_IMAGE);
}

void fetches(const robots::crawler &crawler)
{
    CHECK(robots::fetch::try_make(crawler, "x", NOW).status() == ROBOTS_E_URL);
    CHECK(robots::outcome::try_from_status(crawler, "x", 200, BODY, NOW).status() == ROBOTS_E_URL);
    const robots_crawler *who[] = {crawler.get()};
    CHECK(robots::outcome::try_decode(who, "x").status() == ROBOTS_E_IMAGE);
    const auto elsewhere = robots::outcome::try_from_status(crawler, "https://other.example/", 404, {}, NOW);
    CHECK(elsewhere && robots::outcome::try_decode(who, *elsewhere->try_encode())->allowed("/x", NOW));

    robots::fetch fetch = *robots::fetch::try_make(crawler, PAGE, NOW);
    CHECK(fetch.try_set_previous(*elsewhere) == ROBOTS_E_ARG && fetch.try_set(1000, 0) == ROBOTS_E_ARG);
    CHECK(fetch.try_report_ftp_reply(226, NOW) == ROBOTS_E_STATE && fetch.try_outcome().status() == ROBOTS_E_STATE);
    CHECK(fetch.try_report_status(404, NOW) == ROBOTS_OK && fetch.try_report_headers_end() == ROBOTS_OK);
    CHECK(fetch.try_add_crawler(crawler) == ROBOTS_E_STATE && fetch.try_outcome()->allowed(PAGE, NOW));
}

void caches(const robots::crawler &crawler)
{
    CHECK(robots::cache::try_make(crawler, 1).status() == ROBOTS_E_ARG);
    robots::cache cache = *robots::cache::try_make(crawler, 1 << 20);
    CHECK(cache.try_set(ROBOTS_CACHE_OPT_TICKET_TTL_MS, 0) == ROBOTS_E_ARG);
    CHECK(cache.try_outcome("x").status() == ROBOTS_E_URL && cache.try_remove("x") == ROBOTS_E_URL);
    robots::ticket ticket = cache.check(PAGE, NOW).ticket;
    CHECK(cache.try_add_crawler(crawler) == ROBOTS_E_STATE);
    robots::fetch fetch = *ticket.try_fetch(NOW);
    CHECK(fetch.try_report_end(robots::failure::dns, NOW) == ROBOTS_OK && ticket.try_finish(*fetch.try_outcome(), NOW) == ROBOTS_OK);
    CHECK(ticket.try_fetch(NOW).status() == ROBOTS_E_STATE && ticket.try_finish(*fetch.try_outcome(), NOW) == ROBOTS_E_STATE);
    // A response that ends within its headers allows nothing; a call in the wrong order has no outcome.
    const auto cut = [](robots::transfer &transfer) { return transfer.status(404), robots::failure::none; };
    const robots::clock clock = [] { return robots::instant(NOW); };
    CHECK(robots::fetch::try_make(crawler, PAGE, NOW)->try_run(cut, clock)->info().cause == ROBOTS_CAUSE_OTHER_FAILURE);
    const auto wrong = [](robots::transfer &transfer) { return transfer.headers_end(), robots::failure::none; };
    CHECK(robots::fetch::try_make(crawler, PAGE, NOW)->try_run(wrong, clock).status() == ROBOTS_E_STATE);
    ticket = cache.check("https://other.example/", NOW).ticket;
    CHECK(ticket.try_retrieve(wrong, clock).status() == ROBOTS_E_STATE && !ticket.try_retrieve(cut, clock)->allowed("/x", NOW));
    CHECK(ticket.try_retrieve(cut, clock).status() == ROBOTS_E_STATE);
    cache.clear();
    ticket = cache.check(PAGE, NOW).ticket;
    CHECK(ticket.try_retrieve([](robots::transfer &) { return robots::failure::dns; }, clock)->kind() == robots::outcome_kind::unreachable);
    std::size_t records = 0;
    CHECK(cache.try_each_record([&](std::string_view) { records++; }) == ROBOTS_OK && records == 1);
}

} // namespace

void without_exceptions()
{
    robots::crawler crawler = *robots::crawler::try_make("ExampleBot");
    crawlers(crawler);
    images(crawler);
    fetches(crawler);
    caches(crawler);

    robots::page_controls page = *robots::page_controls::try_make(crawler);
    CHECK(page.try_add_header("X-Robots-Tag", "noindex") == ROBOTS_OK && page.try_add_meta("robots", "x") == ROBOTS_OK);
    CHECK(!page.may_index() && page.unknown_rules().size() == 1);

    CHECK(robots::uses::try_make(crawler, "/x", BODY).status() == ROBOTS_E_URL);
    const robots::uses uses = *robots::uses::try_make(crawler, PAGE, BODY);
    CHECK(uses.try_use_for(PAGE, robots::purpose::training, &page)->says() == robots::use::denied);
    CHECK(uses.try_use_for("https://other.example/", robots::purpose::training, &page).status() == ROBOTS_E_URL);
    CHECK(uses.try_receipt(PAGE, robots::purpose::training, &page, NOW)->front() == '{');
    CHECK(uses.try_receipt("/private", robots::purpose::training, &page, NOW).status() == ROBOTS_E_URL);
    page = robots::page_controls();
    CHECK(page.try_add_header("X-Robots-Tag", "all") == ROBOTS_E_ARG);
}
