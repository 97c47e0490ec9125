/* librobots.hpp: what stands around the rules, used well and used wrongly: caches, fetches, lint, explanations, pages. */
#include "test_hpp.h"

#include <cerrno>
#include <chrono>
#include <string>
#include <type_traits>

#include <unistd.h>

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr robots::time_point NOW{seconds(1800000000)};

/* Fetches what a ticket is for: `body` with status 200. */
void serve(robots::ticket ticket, std::string_view body, robots::instant now)
{
    robots::fetch fetch = ticket.fetch(now);

    CHECK(fetch.url() == "https://example.com/robots.txt");
    fetch.report_status(200, now).report_headers_end().report_body(body).report_end(robots::failure::none, now);
    const robots::outcome outcome = fetch.outcome();
    ticket.finish(outcome, now);
    CHECK(ticket.try_finish(outcome, now) == ROBOTS_E_STATE && ticket.origin().empty());
    CHECK(thrown([&] { ticket.finish(outcome, now); }) == ROBOTS_E_STATE);
}

} // namespace

void caches()
{
    static_assert(!std::is_copy_constructible_v<robots::ticket>);
    static_assert(std::is_nothrow_move_constructible_v<robots::cache_answer>);
    static_assert(!std::is_copy_constructible_v<robots::cache> && std::is_nothrow_move_constructible_v<robots::cache>);
    static_assert(sizeof(robots::cache) == sizeof(void *) && sizeof(robots::outcome) == sizeof(void *));

    const robots::crawler first("ExampleBot"), second("SecondBot");
    robots::cache cache(first, 100000);
    cache.add_crawler(second).ticket_ttl(std::chrono::minutes(1));
    CHECK(thrown([&] { robots::cache(first, 1); }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { cache.ticket_ttl(seconds(0)); }) == ROBOTS_E_ARG);

    // The first exception of a receiver ends the list.
    robots::cache stored(first, 100000);
    for (const std::string_view site : {"https://a.example/", "https://b.example/"})
        stored.check(site, NOW).ticket.finish(robots::outcome::from_status(first, site, 404, "", NOW), NOW);
    robots_status calls = 0;
    CHECK(thrown([&] { stored.each_record([&](std::string_view) { throw robots::error(++calls); }); }) == 1 && calls == 1);

    // SPEC 3.9, 3.10.
    robots::cache paced(first, 100000);
    paced.default_delay(milliseconds(500)).max_delay(seconds(1)).horizon(seconds(2));
    const std::string_view page = "https://example.com/x";
    serve(std::move(paced.request(page, {}, NOW).ticket), "User-agent: *\nDisallow: /private\nCrawl-delay: 5", NOW);
    robots::cache_answer slot = paced.request(page, {}, NOW + milliseconds(250));
    CHECK(slot.verdict.allowed() && slot.slot.at() == NOW + milliseconds(1250) && !slot.slot.due(NOW + milliseconds(250)));
    CHECK(paced.request(page, slot.slot, NOW + milliseconds(1260)).slot.due(NOW + milliseconds(1260)));
    CHECK(slot.crawl_delay == seconds(1) && slot.crawl_delay_cut && slot.action == robots::action::decided);
    CHECK(!paced.check(page, NOW).slot && !paced.request("https://example.com/private", {}, NOW).slot);
    CHECK(paced.report_response(page, 429, "9", NOW) == ROBOTS_OK);
    slot = paced.request(page, {}, NOW);
    CHECK(slot.action == robots::action::defer && slot.until == NOW + seconds(9) && slot.slot.at() == NOW + seconds(9));
    const robots::time_point early{}; // the year 1970, as a clock that nobody set
    CHECK(paced.request(page, {}, early).verdict.status() == ROBOTS_E_TIME && paced.report_response(page, 429, "", early) == ROBOTS_E_TIME);
    CHECK(paced.counts().hits == 5 && paced.counts().fetches == 1 && paced.counts().deferred == 1);
    std::string kept;
    paced.each_record([&](std::string_view one) { kept = one; });
    CHECK(robots::outcome::check_record(kept, page, NOW).allowed() && !robots::outcome::check_record(kept, "/private", NOW).allowed());
    CHECK(robots::outcome::check_record(kept.substr(0, 20), page, NOW).status() == ROBOTS_E_IMAGE);

    robots::cache_answer answer = cache.check("https://example.com/private", NOW);
    CHECK(answer.action == robots::action::fetch && answer.ticket && !answer.verdict.allowed());
    CHECK(answer.ticket.origin() == "https://example.com");
    CHECK(thrown([&] { cache.add_crawler(first); }) == ROBOTS_E_STATE);
    const robots::cache_answer wait = cache.check("https://example.com/private", NOW, 1);
    CHECK(wait.action == robots::action::wait && wait.until == NOW + seconds(60) && !wait.ticket);
    serve(std::move(answer.ticket), "user-agent: SecondBot\ndisallow: /private\n", NOW);
    CHECK(cache.check("https://example.com/private", NOW).verdict.allowed());
    answer = cache.check("https://example.com/private", NOW, 1);
    CHECK(answer.action == robots::action::decided && !answer.ticket && answer.verdict.line() == 2);
    CHECK(cache.check("https://example.com/", NOW, 2).verdict.status() == ROBOTS_E_ARG);
    CHECK(cache.check("/private", NOW).verdict.status() == ROBOTS_E_URL);

    // Dropped, so given back.
    (void)cache.check("https://other.example/", NOW);
    CHECK(cache.check("https://other.example/", NOW).action == robots::action::fetch);
    CHECK(cache.count() == 1 && cache.bytes() > 0);

    robots::cache warm(first, 100000);
    int records = 0;
    cache.each_record([&](std::string_view record) {
        records++;
        CHECK(warm.try_import(record) != ROBOTS_OK); // of other crawlers
    });
    warm.add_crawler(second);
    cache.each_record([&](std::string_view record) { CHECK(warm.try_import(record) == ROBOTS_OK); });
    CHECK(records == 1 && warm.count() == 1);
    CHECK(warm.check("https://example.com/private", NOW, 1).verdict == answer.verdict);

    const std::string file = "/tmp/librobots-hpp-" + std::to_string(getpid()) + ".records";
    robots_cache_file saved, loaded;
    CHECK(warm.try_load(file, loaded) == ROBOTS_E_FILE && loaded.os_error == ENOENT);
    CHECK(warm.try_save(file, saved) == ROBOTS_OK && saved.records == 1);
    CHECK(cache.try_load(file, loaded) == ROBOTS_OK && loaded.records == 1 && loaded.damaged == 0);
    CHECK(std::remove(file.c_str()) == 0);

    const robots_cache *same = cache.get();
    const robots::cache moved = std::move(cache);
    CHECK(same == moved.get() && moved && !cache);
    CHECK(cache.check("https://example.com/", NOW).verdict.status() == ROBOTS_E_ARG);
    CHECK(moved.outcome("https://example.com/x").kind() == robots::outcome_kind::rules);
    CHECK(!moved.outcome("https://other.example/") && thrown([&] { (void)moved.outcome("x"); }) == ROBOTS_E_URL);
    moved.remove("https://example.com/x");
    CHECK(thrown([&] { moved.remove("x"); }) == ROBOTS_E_URL);
    CHECK(moved.count() == 0);
    moved.clear();
    CHECK(robots::ticket().try_finish(robots::outcome(), NOW) == ROBOTS_E_ARG);
    CHECK(thrown([&] { (void)robots::ticket().fetch(NOW); }) == ROBOTS_E_ARG);
}

void lint()
{
    robots::crawler crawler("ExampleBot");
    const robots::lint_report report = crawler.lint("User-agent: *\nDisallow: private/\nDisallow: /a/\n");
    CHECK(report.size() == 1 && report.total(ROBOTS_LINT_ERROR) == 1 && report.line_count() == 3);
    const robots::diagnostic found = report[0];
    CHECK(found.code == 50 && found.severity == ROBOTS_LINT_ERROR && found.line == 2 && found.column == 11);
    CHECK(found.start == 24 && found.end == 32 && found.other_line == 0);
    CHECK(!found.message.empty() && found.suggestion == "write `/private/`");
    CHECK(report[0].fix == ROBOTS_LINT_FIX_UNSAFE && report[0].fix_replacement == "/private/");
    CHECK(report[0].fix_start == report[0].start && report[0].fix_end == report[0].end);
    const robots::meaning line = report.line(2);
    CHECK(line.kind == ROBOTS_LINE_DISALLOW && line.group == 1 && line.field == "Disallow" && line.value == "private/");
    CHECK(line.start == 14 && line.end == 32);
    CHECK(report.text().substr(0, 11) == "error[R050]");
    CHECK(!robots::lint_report::title(50).empty() && !robots::lint_report::explanation(50).empty());
    CHECK(robots::lint_report::title(0).empty());
    const char hidden[] = "User-agent: *\nDisallow: /admin/\n";
    CHECK(crawler.lint(hidden).text().find("R087") == std::string_view::npos);
    crawler.lint_all(true);
    CHECK(crawler.lint(hidden).text().find("R087") != std::string_view::npos);
    std::string values;
    for (const robots::meaning &one : report.lines())
        values += one.value;
    CHECK(values == "*private//a/" && report.begin()->code == 50);
    CHECK(thrown([&] { (void)report[1]; }) == ROBOTS_END);
    CHECK(thrown([&] { (void)report.line(4); }) == ROBOTS_END);
}

void explanations()
{
    const robots::crawler crawler("ExampleBot");
    robots::explanation why = crawler.explain(BODY, "https://example.com/private/%7e");

    CHECK(why && why.verdict() == parse(BODY).check("/private/~") && why.path() == "/private/~");
    CHECK(why.token() == "*" && why.agents().size() == 1);
    CHECK(why.agents()[0].text == "user-agent: *" && why.agents()[0].number == 1);
    CHECK(why.matches().size() == 1 && why.matches()[0].text == "disallow: /private");
    CHECK(why.matches()[0].path == "/private" && why.matches()[0].pattern == "/private" && why.matches()[0].line == 2);
    CHECK(!why.matches()[0].allow && why.matches()[0].result == robots::match_result::won);
    CHECK(why.verdict_in(robots::dialect::google).line() == 2 && why.text().find("disallowed") == 0);
    CHECK(thrown([&] { (void)why.matches()[1]; }) == ROBOTS_END);
    CHECK(thrown([&] { (void)why.agents()[1]; }) == ROBOTS_END);
    CHECK(thrown([&] { (void)crawler.explain(BODY, "no url"); }) == ROBOTS_E_URL);

    const robots::explanation moved = std::move(why);
    CHECK(moved.matches().size() == 1 && !why && why.verdict() == robots::verdict() && why.text().empty());
    CHECK(!why.verdict_in(robots::dialect::google).allowed() && why.matches().size() == 0 && why.agents().size() == 0);
}

void other_lines()
{
    const robots::crawler crawler("ExampleBot");
    const robots::extensions extensions = crawler.extensions(
        "content-signal: search=yes\nuser-agent: *\nrequest-rate: 1/2m 0100-0200\ncontent-usage: /a train-ai=n\nlicense: /l\n");

    CHECK(extensions.size() == 4 && extensions[3].field == robots::extension_field::license && !extensions[0].in_group && extensions[1].in_group);
    CHECK(extensions[1].field == robots::extension_field::request_rate && extensions[1].value == "1/2m 0100-0200");
    CHECK(extensions[1].requests == 1 && extensions[1].seconds == 120 && extensions[1].from == 60 && extensions[1].until == 120);
    CHECK(extensions[2].number == 4 && thrown([&] { (void)extensions[4]; }) == ROBOTS_END);
    CHECK(robots::extensions().size() == 0);
}

void origins()
{
    const robots::origin origin("HTTPS://Example.com:443/x");
    CHECK(origin.key() == "https://example.com" && origin.robots_url() == "https://example.com/robots.txt");
    CHECK(origin.governs("https://example.com/y") && !origin.governs("http://example.com/y"));
    CHECK(thrown([] { robots::origin("/x"); }) == ROBOTS_E_URL);
    CHECK(thrown([] { robots::origin("file:///x"); }) == ROBOTS_E_SCHEME);
    CHECK(!robots::origin::try_from_url("x") && robots::origin::try_from_url("ftp://a")->key() == "ftp://a");
}

/* What a client reports in one transfer, and what it returns. */
struct scripted {
    std::uint32_t status;
    bool ends_headers;
    robots::failure returns;
    std::string_view location{}, body{}, more{};

    robots::failure operator()(robots::transfer &transfer) const
    {
        const bool first = transfer.url().substr(transfer.url().size() - 11) == "/robots.txt";
        CHECK(transfer.request_headers().size() == 0);
        if (status != 0)
            (void)transfer.status(first ? status : 200);
        if (first && !location.empty())
            CHECK(transfer.header("Location", location));
        if (ends_headers)
            CHECK(transfer.headers_end() == (location.empty() || !first ? status == 200 || !first : false));
        if (!body.empty())
            (void)transfer.body(body);
        if (!more.empty())
            CHECK(!transfer.body(more));
        return returns;
    }
};

void runs()
{
    using robots::failure, robots::outcome_kind;
    const robots::crawler crawler("ExampleBot");
    const std::string_view url = "https://example.com/private";
    const robots::clock clock = [] { return robots::instant(NOW); };
    const auto run = [&](const scripted &client) { return robots::fetch(crawler, url, NOW).run(client, clock); };

    CHECK(run({200, true, failure::none, {}, BODY}).rules().sitemaps().size() == 2);
    CHECK(run({404, true, failure::none}).kind() == outcome_kind::allow_all);
    CHECK(run({301, true, failure::other, "/r", BODY}).final_url() == "https://example.com/r"); // it stops reading the redirect
    CHECK(run({200, true, failure::none}).allowed(url, NOW)); // an empty file
    // The body is long enough before its end.
    const std::string most = BODY + std::string(524288, '\n');
    const robots::outcome enough = run({200, true, failure::other, {}, most, "x"});
    CHECK(enough.kind() == outcome_kind::rules && !enough.allowed(url, NOW));
    // After the body come trailers and another empty line.
    const auto trailers = [](robots::transfer &transfer) {
        CHECK(transfer.status(200) && transfer.headers_end() && transfer.body(BODY));
        CHECK(transfer.header("Expires", "0") && transfer.headers_end());
        return failure::none;
    };
    CHECK(robots::fetch(crawler, url, NOW).run(trailers, clock).rules().sitemaps().size() == 2);
    // The response ends before its headers do: whatever the client returns, nothing is allowed.
    for (const scripted &cut : {scripted{200, false, failure::none}, scripted{404, false, failure::none}, scripted{0, false, failure::none}}) {
        const robots::outcome outcome = run(cut);
        CHECK(outcome.kind() == outcome_kind::unreachable && outcome.info().cause == ROBOTS_CAUSE_OTHER_FAILURE && !outcome.allowed(url, NOW));
    }
    CHECK(run({200, false, failure::reset}).info().cause == ROBOTS_CAUSE_RESET);
    CHECK(run({0, false, failure::dns}).info().cause == ROBOTS_CAUSE_DNS);

    // A call in the wrong order, a clock in seconds, an exception: no outcome, and the ticket goes back.
    robots::cache cache(crawler, 1 << 20);
    robots::ticket ticket = cache.check(url, NOW).ticket;
    CHECK(thrown([&] {
              (void)ticket.retrieve([](robots::transfer &transfer) { return CHECK(!transfer.header("a", "b")), transfer.status(404), transfer.headers_end(), failure::none; }, clock);
          }) == ROBOTS_E_STATE);
    // A client that has the whole response, and reports its body before the end of the headers.
    for (const bool has_end : {true, false}) {
        CHECK(thrown([&] {
                  (void)ticket.retrieve([&](robots::transfer &transfer) {
                      CHECK(transfer.status(200) && !transfer.body(BODY));
                      CHECK(!has_end || !transfer.headers_end());
                      return failure::none;
                  }, clock);
              }) == ROBOTS_E_STATE);
    }
    CHECK(thrown([&] { (void)ticket.retrieve(scripted{404, true, failure::none}, [] { return robots::instant(robots::time_point(seconds(1800000))); }); }) == ROBOTS_E_TIME);
    try {
        (void)ticket.retrieve([](robots::transfer &) -> failure { throw 7; });
        CHECK(false);
    } catch (int seven) {
        CHECK(seven == 7);
    }
    CHECK(!cache.outcome(url));
    CHECK(ticket.retrieve(scripted{200, true, failure::none, {}, BODY}, clock).kind() == outcome_kind::rules);
    CHECK(cache.check(url, NOW).verdict.line() == 2);
    CHECK(thrown([&] { (void)ticket.retrieve(scripted{404, true, failure::none}, clock); }) == ROBOTS_E_STATE);
    CHECK(thrown([&] { (void)robots::ticket().retrieve(scripted{404, true, failure::none}); }) == ROBOTS_E_ARG);
    // By the clock of the system, if none is passed.
    cache.clear();
    ticket = cache.check(url, std::chrono::system_clock::now()).ticket;
    CHECK(ticket.retrieve(scripted{404, true, failure::none}).kind() == outcome_kind::allow_all);
}

void fetches()
{
    const robots::crawler crawler("ExampleBot");
    const std::string_view url = "https://example.com/private";
    robots::fetch fetch(crawler, url, NOW);
    CHECK(thrown([&] { fetch.report_end(robots::failure::none, NOW); }) == ROBOTS_E_STATE);
    CHECK(thrown([&] { static_cast<void>(fetch.outcome()); }) == ROBOTS_E_STATE);
    fetch.set(ROBOTS_OPT_MAX_REDIRECTS, 1).report_status(301, NOW).report_header("Location", "/r").report_headers_end();
    CHECK(fetch.step() == robots::fetch_step::get && fetch.url() == "https://example.com/r");
    fetch.report_status(200, NOW).report_header("ETag", "\"1\"").report_headers_end().report_body(BODY).report_end(robots::failure::none, NOW);
    CHECK(fetch.step() == robots::fetch_step::done);

    robots::outcome outcome = fetch.outcome();
    const robots::outcome copy = fetch.outcome();
    CHECK(copy.kind() == robots::outcome_kind::rules && !copy.stale() && copy.info().hops == 1);
    CHECK(copy.fresh_until() == NOW + seconds(86400) && copy.retry_at() == NOW + seconds(86400) && copy.usable_until() == NOW + seconds(86400));
    CHECK(copy.final_url() == "https://example.com/r");
    CHECK(!copy.allowed(url, NOW) && copy.allowed("/open", NOW) && !copy.allowed("/open", NOW, 1));
    CHECK(copy.try_check("/open", NOW + seconds(9000000)).reason() == robots::reason::defer);
    CHECK(copy.rules().allowed("/open") && !copy.rules(1));
    const robots::outcome moved = std::move(outcome);
    CHECK(moved && !outcome && outcome.kind() == robots::outcome_kind::defer && !outcome.allowed("/open", NOW));

    const robots_crawler *const who[] = {crawler.get()};
    CHECK(robots::outcome::decode(who, copy.encode()).encode() == copy.encode());
    CHECK(thrown([&] { static_cast<void>(robots::outcome::decode(who, "x")); }) == ROBOTS_E_IMAGE);
    const robots::time_point LATER = NOW + seconds(5000000);
    robots::fetch later(crawler, url, LATER);
    later.set_previous(copy).report_status(301, LATER).report_header("Location", "/r").report_headers_end();
    CHECK(later.request_headers().size() == 1);
    CHECK(later.request_headers()[0] == std::make_pair(std::string_view("If-None-Match"), std::string_view("\"1\"")));
    CHECK(later.report_end(robots::failure::none, LATER).report_end(robots::failure::timeout, LATER).outcome().stale());

    const robots::outcome down = robots::outcome::from_status(crawler, url, 503, {}, NOW);
    CHECK(down.kind() == robots::outcome_kind::unreachable && !down.allowed("/open", NOW));
    CHECK(robots::crawler::preset("AdsBot-Google").parse("user-agent: *\ndisallow: /").allowed("/x"));
    try {
        static_cast<void>(robots::crawler::preset("x\n"));
        CHECK(false);
    } catch (const robots::error &error) {
        CHECK(error.status() == ROBOTS_E_TOKEN);
        CHECK(error.what() == std::string("no preset has the name `x?`: `robots crawlers` lists them; or create the crawler with its product token"));
    }
    CHECK(robots::crawler::token_from_user_agent("Mozilla/5.0 (compatible; ExampleBot/1.0)") == "ExampleBot");
    CHECK(!robots::crawler("x").add_names_in("Yahoo! Slurp").parse("user-agent: Yahoo! Slurp\ndisallow: /").allowed("/x"));
    CHECK(thrown([] { static_cast<void>(robots::crawler::token_from_user_agent("Mozilla/5.0")); }) == ROBOTS_E_TOKEN);
    robots::fetch by_ftp(crawler, "ftp://example.com/x", NOW);
    by_ftp.report_ftp_reply(226, NOW);
    CHECK(thrown([&] { by_ftp.report_ftp_reply(550, NOW); }) == ROBOTS_E_STATE);
    CHECK(!by_ftp.report_body(BODY).report_end(robots::failure::none, NOW).outcome().allowed("/private", NOW));
    // The end of each transfer, whatever the step: that of a redirect is not that of the next request.
    robots::fetch each(crawler, url, NOW);
    static_assert(noexcept(each.try_report_status(1, NOW)) && noexcept(each.try_report_header("", "")) && noexcept(each.try_report_headers_end()) &&
                  noexcept(each.try_report_body("")) && noexcept(each.try_report_end(robots::failure::none, NOW)));
    CHECK(each.try_report_status(301, NOW) == ROBOTS_OK && each.try_report_header("Location", "/r") == ROBOTS_OK);
    CHECK(each.try_report_headers_end() == ROBOTS_OK && each.try_report_body("x") == ROBOTS_E_STATE);
    CHECK(each.try_report_end(robots::failure::reset, NOW) == ROBOTS_OK && each.step() == robots::fetch_step::get);
    CHECK(each.try_report_end(robots::failure::none, NOW) == ROBOTS_E_STATE && each.step() == robots::fetch_step::get);
    CHECK(each.try_report_end(robots::failure::connect, NOW) == ROBOTS_OK && each.step() == robots::fetch_step::done);
    CHECK(each.outcome().info().cause == ROBOTS_CAUSE_CONNECT && each.outcome().info().hops == 1);
    // SPEC 7.6: the error names the token.
    for (const std::string_view header : {"Mozilla/5.0 (compatible; ExampleBot/1.0)", "ExampleBot/1.0"}) {
        std::string text;
        try {
            robots::crawler("Other").add_token(header);
        } catch (const robots::error &error) {
            text = error.what();
        }
        CHECK(text == "`" + std::string(header) + "` is a User-Agent header; its token is ExampleBot");
    }
    CHECK(thrown([] { robots::crawler("a b/c"); }) == ROBOTS_E_TOKEN);
    CHECK(thrown([] { robots::crawler("\xff"); }) == ROBOTS_E_TOKEN);
    robots::fetch two(crawler, url, NOW);
    two.add_crawler(crawler).report_status(404, NOW).report_headers_end();
    CHECK(two.outcome().allowed(url, NOW, 1) && two.get() != nullptr);
}

void pages()
{
    const robots::crawler crawler("ExampleBot");
    robots::page_controls page(crawler);

    CHECK(page.may_index() && page.may_follow() && !page.unavailable_after() && page.get() != nullptr);
    CHECK(page.decided_by(robots::control::index).source == robots::page_source::none);
    page.add_header("Content-Type", "noindex")
        .add_header("Content-Usage", "train-ai=n")
        .add_header("X-Robots-Tag", "max-snippet: 50, examplebot: nofollow, unavailable_after: 25 Jun 2027 15:00:00 CEST")
        .add_header("Robots-Tag", "*;noarchive")
        .add_meta("examplebot", "max-snippet: 20, noai");
    CHECK(page.may_index() && !page.may_follow() && page.unavailable_after() == robots::time_point(seconds(1813935600)));
    CHECK(page.value(robots::control::max_snippet) == 20 && page.value(robots::control::max_video_preview) == -1);
    const auto follow = page.decided_by(robots::control::follow);
    CHECK(follow.text == "nofollow" && follow.agent == "ExampleBot" && follow.value == 0 && follow.number == 1);
    CHECK(follow.source == robots::page_source::x_robots_tag);
    CHECK(page.decided_by(robots::control::archive).source == robots::page_source::robots_tag);
    CHECK(page.decided_by(robots::control::max_snippet).source == robots::page_source::meta);
    CHECK(page.decided_by(robots::control::unavailable_after).zone == robots::zone::unknown);
    CHECK(page.unknown_rules().size() == 1 && page.unknown_rules()[0].text == "noai");
    CHECK(thrown([&] { (void)page.unknown_rules()[1]; }) == ROBOTS_END);
    CHECK(thrown([&] { (void)page.decided_by(static_cast<robots::control>(99)); }) == ROBOTS_E_ARG);

    // An empty object permits nothing.
    const robots::page_controls moved = std::move(page);
    CHECK(moved.may_index() && !page.may_index() && !page.may_follow() && page.unavailable_after() == robots::time_point{});
    CHECK(page.unknown_rules().size() == 0 && page.get() == nullptr);
    CHECK(thrown([&] { page.add_meta("robots", "all"); }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { page.add_header("X-Robots-Tag", "all"); }) == ROBOTS_E_ARG);
}

void uses()
{
    using robots::purpose, robots::use;
    const robots::crawler crawler("ExampleBot");
    const std::string_view url = "https://example.com/page", file = "content-signal: search=yes, ai-train=no\nlicense: https://example.com/l\n";
    robots::page_controls page(crawler);
    robots::uses site(crawler, url, file);
    page.add_header("Content-Usage", "train-ai=y");

    const robots::use_answer training = site.use_for(url, purpose::training, &page);
    CHECK(training.says() == use::denied && training.terms().empty() && training.signals().size() == 3);
    CHECK(training.decided_by()->text == "ai-train=no" && training.decided_by()->line == 1 && training.decided_by()->token.empty());
    CHECK(training.decided_by()->source == robots::use_source::content_signal_line && training.decided_by()->says == use::denied);
    CHECK(training.signals()[2].source == robots::use_source::content_usage_header && training.signals()[2].says == use::allowed);
    const robots::use_answer search = site.use_for(url, purpose::search, &page);
    CHECK(search.says() == use::licensed && search.terms() == "https://example.com/l" && search.decided_by() == search.signals().data());
    CHECK(robots::uses(crawler, url, "content-signal: search=yes").use_for(url, purpose::search, &page).says() == use::allowed);
    // More signals than there is room for at first.
    CHECK(robots::uses(crawler, "", "content-signal: a=1, b=2, c=3, d=4, e=5, f=6\n").use_for("/x", purpose::seo, &page).signals().size() == 6);

    // What is empty is known, whatever its address; what is not known allows nothing.
    CHECK(site.use_for(url, purpose::search, nullptr).says() == use::licensed);
    CHECK(robots::uses(crawler, url, std::string_view()).use_for(url, purpose::search, &page).decided_by() == nullptr);
    CHECK(robots::uses(crawler, url, std::string_view(), "[]").use_for(url, purpose::training, &page).says() == use::allowed);
    for (const robots::uses &unknown : {robots::uses(crawler, url, std::nullopt), robots::uses(crawler, url, "", std::string_view())}) {
        const robots::use_answer answer = unknown.use_for(url, purpose::training, &page);
        CHECK(answer.says() == use::unstated && answer.decided_by()->source == robots::use_source::not_read);
    }

    const std::string receipt = site.receipt(url, purpose::training, &page, NOW);
    CHECK(receipt.find("{\"receipt\":1,\"url\":\"https://example.com/page\"") == 0 && receipt.back() == '}');
    CHECK(receipt.find("\"fetched_at\":1800000000,") != std::string::npos);
    page.add_header("Link", "</" + std::string(1500, 'a') + ">; rel=license");
    CHECK(site.receipt(url, purpose::training, &page, NOW).size() > 2000);

    CHECK(thrown([&] { (void)robots::uses(crawler, "file:///x", ""); }) == ROBOTS_E_SCHEME);
    CHECK(thrown([&] { (void)site.use_for("https://other.example/", purpose::search, &page); }) == ROBOTS_E_URL);
    CHECK(thrown([&] { (void)site.use_for(url, static_cast<purpose>(8), &page); }) == ROBOTS_E_ARG);
    CHECK(argument_of([&] { (void)site.use_for(url, static_cast<purpose>(8), &page); }) == "purpose");
    CHECK(thrown([&] { (void)site.receipt("/page", purpose::search, &page, NOW); }) == ROBOTS_E_URL);
    CHECK(thrown([&] { (void)site.receipt(url, purpose::search, &page, robots::time_point(seconds(1800000))); }) == ROBOTS_E_TIME);

    // An empty object permits nothing, nor does an answer that no call has returned.
    const robots::uses moved = std::move(site);
    CHECK(moved && !site && thrown([&] { (void)site.use_for(url, purpose::search, &page); }) == ROBOTS_E_ARG);
    CHECK(robots::use_answer().says() == use::denied && robots::use_answer().decided_by() == nullptr);
}
