/* librobots.hpp: every type and member, used well and used wrongly. */
#include <librobots.hpp>

#include <array>
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

std::uint32_t line_from_another_file(const robots::rules &rules); // test_hpp_again.cpp

namespace {

unsigned long failures;

#define CHECK(condition) ((condition) ? (void)0 : fail(__LINE__, #condition))

void fail(int line, const char *what)
{
    failures++;
    std::printf("FAIL tests/cpp/test_hpp.cpp:%d: not so: %s\n", line, what);
}

/* The status of the robots::error that `work` throws; ROBOTS_OK when it throws none. */
template <class Work>
robots_status thrown(Work work)
{
    try {
        work();
        return ROBOTS_OK;
    } catch (const robots::error &error) {
        CHECK(std::strcmp(error.what(), robots_status_text(error.status())) == 0);
        return error.status();
    }
}

const char BODY[] = "user-agent: *\ndisallow: /private\ncrawl-delay: 2.5\nsitemap: /1.xml\nsitemap: /2.xml\n";

robots::rules parse(std::string_view body)
{
    return robots::crawler("ExampleBot").parse(body);
}

void types()
{
    static_assert(!std::is_copy_constructible_v<robots::crawler> && !std::is_copy_assignable_v<robots::crawler>);
    static_assert(std::is_nothrow_move_constructible_v<robots::crawler>);
    static_assert(std::is_nothrow_copy_constructible_v<robots::rules> && std::is_nothrow_move_assignable_v<robots::rules>);
    static_assert(std::is_trivially_copyable_v<robots::verdict> && sizeof(robots::verdict) == sizeof(robots_verdict));
    static_assert(sizeof(robots::rules) == sizeof(void *) && sizeof(robots::crawler) == sizeof(void *));
    static_assert(std::is_base_of_v<std::runtime_error, robots::error>);

    // The twins, and all that cannot fail, promise it.
    const robots::rules rules = parse(BODY);
    const robots::crawler crawler("ExampleBot");
    robots::rules out;
    static_assert(noexcept(rules.try_check("")) && noexcept(rules.allowed("")) && noexcept(rules.crawl_delay()));
    static_assert(noexcept(rules.try_check_batch("", robots::span<const std::uint32_t>(), {})));
    static_assert(noexcept(rules.sitemap(0)) && noexcept(rules.image()) && noexcept(robots::rules(rules)));
    static_assert(noexcept(crawler.try_parse("", out)) && noexcept(robots::rules::try_from_image("", out)));
    static_assert(noexcept(robots::crawler::try_make("")) && !noexcept(rules.check("")));

    // A verdict can be a constant.
    constexpr robots::verdict none;
    static_assert(!none.allowed() && none.status() == ROBOTS_E_ARG && none.line() == 0);
    constexpr robots::verdict word(robots_verdict{7} << 32 | 2 << 8);
    static_assert(word.line() == 7 && word.reason() == robots::reason::rule_disallowed && word != none);
}

void verdicts()
{
    const robots::rules rules = parse(BODY);
    const robots::verdict verdict = rules.check("https://example.com/private/x");

    CHECK(!verdict.allowed());
    CHECK(verdict.reason() == robots::reason::rule_disallowed);
    CHECK(verdict.line() == 2 && verdict.status() == ROBOTS_OK);
    CHECK(verdict.bits() == robots_rules_check(rules.get(), "/private/x", 10));
    CHECK(verdict == rules.try_check(std::string("/private/y")));
    CHECK(rules.check("/x").allowed() && rules.check("/x").reason() == robots::reason::no_rule);
    CHECK(rules.allowed("/x") && !rules.allowed("/private"));
    CHECK(rules.check("/robots.txt").reason() == robots::reason::robots_txt);
    CHECK(!rules.allowed(std::string_view("/private\0", 9)));

    CHECK(thrown([&] { (void)rules.check("no url"); }) == ROBOTS_E_URL);
    CHECK(thrown([&] { (void)rules.check({}); }) == ROBOTS_E_URL);
    CHECK(rules.try_check("no url").status() == ROBOTS_E_URL && !rules.allowed("no url"));

    CHECK(robots::reason_text(robots::reason::unreachable) == robots_reason_text(ROBOTS_REASON_UNREACHABLE));
    CHECK(robots::rules::allow_all().check("/x").reason() == robots::reason::allow_all);
    CHECK(robots::rules::disallow_all().check("/x").reason() == robots::reason::disallow_all);
    CHECK(line_from_another_file(rules) == 2);

    const robots::rules list = robots::crawler("ExampleBot").parse("user-agent: *\ndisallow: /b%7e$\nallow: /*.a\n");
    CHECK(list.rule_count() == 2 && list.effective(0).pattern == "/b~$" && !list.effective(0).allow);
    CHECK(list.effective(1).pattern == "/*.a" && list.effective(1).allow && list.effective(1).line == 3);
    CHECK(thrown([&] { (void)list.effective(2); }) == ROBOTS_E_ARG);
    CHECK(thrown([] { (void)robots::rules().rule_count(); }) == ROBOTS_E_ARG);
}

void crawlers()
{
    CHECK(thrown([] { robots::crawler("Example Bot"); }) == ROBOTS_E_TOKEN);
    CHECK(thrown([] { robots::crawler(std::string_view()); }) == ROBOTS_E_TOKEN);
    CHECK(!robots::crawler::try_make("Example Bot"));
    CHECK(robots::crawler::try_make("ExampleBot")->parse(BODY).allowed("/x"));

    const robots::rules any = robots::crawler::without_token().parse("user-agent: a\ndisallow: /a\n\nuser-agent: *\ndisallow: /b\n");
    CHECK(any.allowed("/a") && !any.allowed("/b"));

    const robots::crawler once("ExampleBot");
    const std::string_view file = "user-agent: *\ndisallow: /b\n";
    CHECK(once.check_once(file, "/a").allowed() && once.check_once(file, "/b").line() == 2);
    CHECK(once.check_once(file, "no url").status() == ROBOTS_E_URL && !once.check_once(file, "no url").allowed());

    robots::crawler crawler("images");
    crawler.add_token("news").ignore_star(true).max_bytes(600000).dialect(robots::dialect::rfc9309);
    CHECK(crawler.parse("user-agent: *\ndisallow: /\n").allowed("/x"));
    CHECK(!crawler.parse("user-agent: news\ndisallow: /\n").allowed("/x"));
    crawler.ignore_star(false);
    CHECK(!crawler.parse("user-agent: *\ndisallow: /\n").allowed("/x"));

    const char both[] = "user-agent: images\ndisallow: /a\n\nuser-agent: news\ndisallow: /b\n";
    CHECK(crawler.parse(both).allowed("/b"));
    crawler.merge_tokens(true);
    CHECK(!crawler.parse(both).allowed("/b"));

    const char delay[] = "user-agent: images\ncrawl-delay: 1\nuser-agent: b\ndisallow: /\n";
    CHECK(!crawler.parse(delay).allowed("/x"));
    crawler.crawl_delay_ends_agents(true);
    CHECK(crawler.parse(delay).allowed("/x"));
    crawler.dialect(robots::dialect::koster1996);
    CHECK(crawler.parse("user-agent: images\ndisallow: /*x\n").allowed("/ax"));
    crawler.dialect(robots::dialect::google);
    CHECK(!crawler.parse("user-agent: images\ndisallow: /*x\n").allowed("/ax"));

    CHECK(thrown([&] { crawler.add_token("360Spider"); }) == ROBOTS_E_TOKEN);
    CHECK(thrown([&] { crawler.set(1000, 0); }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { crawler.max_bytes(1); }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { crawler.dialect(static_cast<robots::dialect>(9)); }) == ROBOTS_E_ARG);

    // Moved: the new one has it all, the old one has nothing and says so.
    robots::crawler moved = std::move(crawler);
    CHECK(moved.parse("user-agent: news\ndisallow: /\n").allowed("/x") == false);
    CHECK(crawler.get() == nullptr && moved.get() != nullptr);
    CHECK(thrown([&] { (void)crawler.parse(BODY); }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { crawler.ignore_star(true); }) == ROBOTS_E_ARG);
    robots::rules out = parse(BODY);
    CHECK(crawler.try_parse(BODY, out) == ROBOTS_E_ARG && !out);
    CHECK(moved.try_parse(BODY, out) == ROBOTS_OK && out);
    crawler = std::move(moved);
    CHECK(crawler.get() != nullptr);
}

void sharing()
{
    robots::rules first = parse(BODY);
    robots::rules second = first, third;
    CHECK(first.get() == second.get() && !third && third.get() == nullptr);
    third = second;
    first = robots::rules();
    CHECK(!first && !second.allowed("/private") && second.allowed("/x"));
    third = std::move(second);
    CHECK(!second && third.allowed("/x"));
    third = *&third;
    CHECK(third && third.allowed("/x"));

    // Empty ones allow nothing.
    CHECK(!second.allowed("/x") && second.try_check("/x").status() == ROBOTS_E_ARG);
    CHECK(thrown([&] { (void)second.check("/x"); }) == ROBOTS_E_ARG);
    CHECK(!second.crawl_delay() && second.sitemap_count() == 0 && second.sitemap(0).empty() && second.image().empty());

    // 8 threads, each with a copy of its own, which it also copies and drops.
    std::array<bool, 8> right{};
    std::vector<std::thread> threads;
    for (bool &is_right : right)
        threads.emplace_back([&is_right, &third, own = third] {
            is_right = true;
            for (int i = 0; i < 1000; i++) {
                const robots::rules copy = own;
                is_right = is_right && copy.allowed("/x") && !third.allowed("/private");
            }
        });
    for (std::thread &thread : threads)
        thread.join();
    for (const bool is_right : right)
        CHECK(is_right);

    // To C and back.
    robots_rules *raw = robots_rules_retain(third.get());
    CHECK(robots::rules::adopt(raw).allowed("/x"));
    CHECK(!robots::rules::adopt(nullptr));
}

void file_wide()
{
    const robots::rules rules = parse(BODY);
    CHECK(rules.crawl_delay() == 2.5);
    CHECK(rules.sitemap_count() == 2 && rules.sitemap(0) == "/1.xml" && rules.sitemap(1) == "/2.xml");
    CHECK(rules.sitemap(2).empty());
    CHECK(!parse("").crawl_delay());
    CHECK(parse("user-agent: *\ncrawl-delay: 0\n").crawl_delay() == 0.0);
    CHECK(robots::version() == robots_version() && robots::version_number() == ROBOTS_VERSION_NUMBER);
}

template <class Asked>
void batch_of(const Asked &asked)
{
    const std::string text = "/x/privateno url";
    std::vector<std::uint32_t> offsets = {0, 2, 10, 16};
    std::array<robots::answer, 3> answers{};
    const std::array<robots::answer, 3> right = {robots::answer::allowed, robots::answer::disallowed,
                                                 robots::answer::bad_url};

    asked.check_batch(text, offsets, answers);
    CHECK(answers == right);

    // What does not fit together is an error, and disallows all, above all what C could not see.
    const auto refuses = [&](std::string_view urls, robots::span<const std::uint32_t> wrong) {
        answers.fill(robots::answer::allowed);
        CHECK(asked.try_check_batch(urls, wrong, answers) == ROBOTS_E_ARG);
        for (const robots::answer answer : answers)
            CHECK(answer == robots::answer::disallowed);
        CHECK(thrown([&] { asked.check_batch(urls, wrong, answers); }) == ROBOTS_E_ARG);
    };
    refuses(text, {offsets.data(), 3});
    refuses(text, {});
    refuses(std::string_view(text).substr(0, 15), offsets);
    refuses({}, offsets);
    offsets = {0, 2, 10, 9};
    refuses(text, offsets);
    offsets = {0, 2, 4000000000u, 16};
    refuses(text, offsets);
    offsets = {0, 1, 2, 3, 4};
    refuses(text, offsets);

    // No URLs: offsets has one element or none, answers none.
    const std::uint32_t zero[] = {0};
    CHECK(asked.try_check_batch({}, zero, {}) == ROBOTS_OK);
    CHECK(asked.try_check_batch({}, robots::span<const std::uint32_t>(), {}) == ROBOTS_OK);
}

void batches()
{
    const robots::rules rules = parse(BODY);
    batch_of(rules);
    batch_of(robots::image_view(rules.image()));

    const std::vector<std::uint64_t> wide = {0, 2, 10};
    robots::answer answers[2] = {};
    rules.check_batch("/x/private", wide, answers);
    CHECK(answers[0] == robots::answer::allowed && answers[1] == robots::answer::disallowed);
    CHECK(thrown([&] { rules.check_batch("/x/privat", wide, answers); }) == ROBOTS_E_ARG);
    CHECK(answers[0] == robots::answer::disallowed);
    robots::image_view(rules.image()).check_batch("/x/private", wide, answers);
    CHECK(answers[0] == robots::answer::allowed && answers[1] == robots::answer::disallowed);
#if __cplusplus >= 202002L
    const std::span<const std::uint64_t> standard(wide);
    rules.check_batch("/x/private", standard, std::span<robots::answer>(answers));
    CHECK(answers[0] == robots::answer::allowed);
#endif
    CHECK(robots::rules().try_check_batch("/x/private", wide, answers) == ROBOTS_E_ARG);
    CHECK(answers[0] == robots::answer::disallowed && answers[1] == robots::answer::disallowed);
}

void images()
{
    const robots::rules rules = parse(BODY);
    const std::string stored(rules.image());
    const robots::image_view image(stored);

    image.validate();
    CHECK(image.check("/private") == rules.check("/private") && image.allowed("/x"));
    CHECK(!image.site_verdict());
    CHECK(robots::image_view(robots::rules::allow_all().image()).site_verdict() == robots::rules::allow_all().check("/x"));
    CHECK(robots::image_view("no image").site_verdict()->status() == ROBOTS_E_IMAGE);
    CHECK(image.crawl_delay() == 2.5 && image.sitemap_count() == 2 && image.sitemap(1) == "/2.xml");
    const robots::rules again = robots::rules::from_image(stored);
    CHECK(again.image() == stored && !again.allowed("/private"));

    const std::string_view cut = std::string_view(stored).substr(1);
    robots::rules out = rules;
    CHECK(robots::image_view(cut).try_validate() == ROBOTS_E_IMAGE);
    CHECK(thrown([&] { robots::image_view(cut).validate(); }) == ROBOTS_E_IMAGE);
    CHECK(thrown([&] { (void)robots::image_view(cut).check("/x"); }) == ROBOTS_E_IMAGE);
    CHECK(thrown([&] { (void)robots::rules::from_image(cut); }) == ROBOTS_E_IMAGE);
    CHECK(robots::rules::try_from_image(cut, out) == ROBOTS_E_IMAGE && !out);
    CHECK(robots::rules::try_from_image(stored, out) == ROBOTS_OK && out.allowed("/x"));
    CHECK(!robots::image_view({}).allowed("/x"));
}

constexpr std::uint64_t NOW = 1800000000;

/* Fetches what a ticket is for: `body` with status 200. */
void serve(robots::ticket ticket, std::string_view body, std::uint64_t now)
{
    robots::fetch fetch = ticket.fetch(now);

    CHECK(fetch.url() == "https://example.com/robots.txt");
    fetch.status(200, now).headers_end().body(body).end();
    const robots::outcome outcome = fetch.outcome();
    ticket.finish(outcome, now);
    CHECK(ticket.try_finish(outcome, now) == ROBOTS_E_STATE && ticket.origin().empty());
    CHECK(thrown([&] { ticket.finish(outcome, now); }) == ROBOTS_E_STATE);
}

void caches()
{
    static_assert(!std::is_copy_constructible_v<robots::ticket> && !std::is_copy_constructible_v<robots::cache_cursor>);
    static_assert(std::is_nothrow_move_constructible_v<robots::cache_answer>);
    static_assert(std::is_nothrow_copy_constructible_v<robots::cache> && sizeof(robots::cache) == sizeof(void *));

    const robots::crawler first("ExampleBot"), second("SecondBot");
    robots::cache cache(first, 100000);
    cache.add_crawler(second).ticket_ttl(60);
    CHECK(thrown([&] { robots::cache(first, 1); }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { cache.ticket_ttl(0); }) == ROBOTS_E_ARG);

    robots::cache_answer answer = cache.check("https://example.com/private", NOW);
    CHECK(answer.action == robots::action::fetch && answer.ticket && !answer.verdict.allowed());
    CHECK(answer.ticket.origin() == "https://example.com");
    CHECK(thrown([&] { cache.add_crawler(first); }) == ROBOTS_E_STATE);
    const robots::cache_answer wait = cache.check("https://example.com/private", NOW, 1);
    CHECK(wait.action == robots::action::wait && wait.until == NOW + 60 && !wait.ticket);
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
    robots::cache_cursor foreign = cache.records();
    CHECK(warm.try_import(foreign.next()) != ROBOTS_OK && foreign.next().empty()); // of other crawlers
    warm.add_crawler(second);
    robots::cache_cursor records = cache.records();
    CHECK(warm.try_import(records.next()) == ROBOTS_OK && warm.count() == 1);
    CHECK(warm.check("https://example.com/private", NOW, 1).verdict == answer.verdict);

    robots::cache same = cache;
    const robots::cache moved = std::move(cache);
    CHECK(same.get() == moved.get() && same && !cache);
    CHECK(cache.check("https://example.com/", NOW).verdict.status() == ROBOTS_E_ARG);
    CHECK(same.outcome("https://example.com/x").kind() == robots::outcome_kind::rules);
    CHECK(!same.outcome("https://other.example/") && thrown([&] { (void)same.outcome("x"); }) == ROBOTS_E_URL);
    same.remove("https://example.com/x");
    CHECK(thrown([&] { same.remove("x"); }) == ROBOTS_E_URL);
    CHECK(moved.count() == 0);
    same.clear();
    CHECK(robots::ticket().try_finish(robots::outcome(), NOW) == ROBOTS_E_ARG);
    CHECK(thrown([&] { (void)robots::ticket().fetch(NOW); }) == ROBOTS_E_ARG);
}

void lint()
{
    const robots::crawler crawler("ExampleBot");
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
    CHECK(thrown([&] { (void)report[1]; }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { (void)report.line(4); }) == ROBOTS_E_ARG);
}

void explanations()
{
    const robots::crawler crawler("ExampleBot");
    robots::explanation why = crawler.explain(BODY, "https://example.com/private/%7e");

    CHECK(why && why.verdict() == parse(BODY).check("/private/~") && why.path() == "/private/~");
    CHECK(why.token() == "*" && why.agent_count() == 1);
    CHECK(why.agent(0).text == "user-agent: *" && why.agent(0).number == 1);
    CHECK(why.rule_count() == 1 && why.matched(0).text == "disallow: /private");
    CHECK(why.matched(0).path == "/private" && why.matched(0).pattern == "/private" && why.matched(0).line == 2);
    CHECK(!why.matched(0).allow && why.matched(0).result == robots::result::won);
    CHECK(why.verdict_in(robots::dialect::google).line() == 2 && why.text().find("disallowed") == 0);
    CHECK(thrown([&] { (void)why.matched(1); }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { (void)why.agent(1); }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { (void)crawler.explain(BODY, "no url"); }) == ROBOTS_E_URL);

    const robots::explanation moved = std::move(why);
    CHECK(moved.rule_count() == 1 && !why && why.verdict() == robots::verdict() && why.text().empty());
    CHECK(!why.verdict_in(robots::dialect::google).allowed() && why.rule_count() == 0 && why.agent_count() == 0);
}

void other_lines()
{
    const robots::crawler crawler("ExampleBot");
    const robots::extensions extensions = crawler.extensions(
        "content-signal: search=yes\nuser-agent: *\nrequest-rate: 1/2m 0100-0200\ncontent-usage: /a train-ai=n\nlicense: /l\n");

    CHECK(extensions.size() == 4 && extensions[3].field == robots::extension_field::license && !extensions[0].in_group && extensions[1].in_group);
    CHECK(extensions[1].field == robots::extension_field::request_rate && extensions[1].value == "1/2m 0100-0200");
    CHECK(extensions[1].requests == 1 && extensions[1].seconds == 120 && extensions[1].from == 60 && extensions[1].until == 120);
    CHECK(extensions[2].number == 4 && thrown([&] { (void)extensions[4]; }) == ROBOTS_E_ARG);

    const robots::preferences preferences = extensions.preferences("/a");
    CHECK(preferences.size() == 2 && preferences[0].label == "train-ai" && preferences[0].line == 4);
    CHECK(preferences[0].choice == robots::choice::no);
    CHECK(preferences[1].vocabulary == robots::vocabulary::content_signal);
    CHECK(thrown([&] { (void)preferences[2]; }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { (void)extensions.preferences("no url"); }) == ROBOTS_E_URL);
    CHECK(robots::preferences::from_header("a=y")[0].choice == robots::choice::yes);
    CHECK(robots::preferences::from_header("a=y,").size() == 0 && robots::preferences().size() == 0);
    CHECK(robots::extensions().size() == 0 && thrown([&] { (void)robots::extensions().preferences("/"); }) == ROBOTS_E_ARG);
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

void fetches()
{
    const robots::crawler crawler("ExampleBot");
    const std::string_view url = "https://example.com/private";
    robots::fetch fetch(crawler, url, 1000);
    CHECK(thrown([&] { fetch.end(); }) == ROBOTS_E_STATE);
    CHECK(thrown([&] { static_cast<void>(fetch.outcome()); }) == ROBOTS_E_STATE);
    fetch.set(ROBOTS_OPT_MAX_REDIRECTS, 1).status(301, 1000).header("Location", "/r").headers_end();
    CHECK(fetch.step() == robots::step::get && fetch.url() == "https://example.com/r");
    fetch.status(200, 1000).header("ETag", "\"1\"").headers_end().body(BODY).end();
    CHECK(fetch.step() == robots::step::done);

    robots::outcome outcome = fetch.outcome();
    const robots::outcome copy = outcome;
    CHECK(copy.kind() == robots::outcome_kind::rules && !copy.stale() && copy.get(ROBOTS_OUTCOME_HOPS) == 1);
    CHECK(copy.fresh_until() == 1000 + 86400 && copy.retry_at() == 1000 + 86400 && copy.usable_until() == 1000 + 86400);
    CHECK(copy.text(ROBOTS_OUTCOME_FINAL_URL) == "https://example.com/r");
    CHECK(!copy.allowed(url, 1000) && copy.allowed("/open", 1000) && !copy.allowed("/open", 1000, 1));
    CHECK(copy.try_check("/open", 9000000).reason() == robots::reason::defer);
    CHECK(copy.rules().allowed("/open") && !copy.rules(1));
    const robots::outcome moved = std::move(outcome);
    CHECK(moved && !outcome && outcome.kind() == robots::outcome_kind::defer && !outcome.allowed("/open", 1000));

    const robots_crawler *who[] = {crawler.get()};
    CHECK(robots::outcome::decode(who, copy.encode()).encode() == copy.encode());
    CHECK(thrown([&] { static_cast<void>(robots::outcome::decode(who, "x")); }) == ROBOTS_E_IMAGE);
    robots::fetch later(crawler, url, 5000000);
    later.set_previous(copy).status(301, 5000000).header("Location", "/r").headers_end();
    CHECK(later.request_header_count() == 1);
    CHECK(later.request_header(0) == std::make_pair(std::string_view("If-None-Match"), std::string_view("\"1\"")));
    CHECK(later.fail(robots::failure::timeout, 5000000).outcome().stale());

    const robots::outcome down = robots::outcome::from_status(crawler, url, 503, {}, 1000);
    CHECK(down.kind() == robots::outcome_kind::unreachable && !down.allowed("/open", 1000));
    CHECK(robots::crawler::preset("AdsBot-Google").parse("user-agent: *\ndisallow: /").allowed("/x"));
    CHECK(thrown([] { static_cast<void>(robots::crawler::preset("x")); }) == ROBOTS_E_TOKEN);
    robots::fetch two(crawler, url, 0);
    two.add_crawler(crawler).status(404, 0).headers_end();
    CHECK(two.outcome().allowed(url, 0, 1) && two.get() != nullptr);
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
    CHECK(page.may_index() && !page.may_follow() && page.unavailable_after() == 1813935600);
    CHECK(page.value(robots::control::max_snippet) == 20 && page.value(robots::control::max_video_preview) == -1);
    const auto follow = page.decided_by(robots::control::follow);
    CHECK(follow.text == "nofollow" && follow.agent == "ExampleBot" && follow.value == 0 && follow.number == 1);
    CHECK(follow.source == robots::page_source::x_robots_tag);
    CHECK(page.decided_by(robots::control::archive).source == robots::page_source::robots_tag);
    CHECK(page.decided_by(robots::control::max_snippet).source == robots::page_source::meta);
    CHECK(page.decided_by(robots::control::unavailable_after).zone == robots::zone::unknown);
    CHECK(page.unknown_count() == 1 && page.unknown(0).text == "noai");
    CHECK(thrown([&] { (void)page.unknown(1); }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { (void)page.decided_by(static_cast<robots::control>(99)); }) == ROBOTS_E_ARG);
    CHECK(page.usage("train-ai") == robots::choice::no && page.usage("search") == robots::choice::unknown);

    // An empty object permits nothing.
    const robots::page_controls moved = std::move(page);
    CHECK(moved.may_index() && !page.may_index() && !page.may_follow() && page.unavailable_after() == 0);
    CHECK(page.usage("search") == robots::choice::no && page.unknown_count() == 0 && page.get() == nullptr);
    CHECK(thrown([&] { page.add_meta("robots", "all"); }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { page.add_header("X-Robots-Tag", "all"); }) == ROBOTS_E_ARG);
}

} // namespace

int main()
{
    void (*const tests[])() = {types,  verdicts, crawlers,     sharing,     file_wide, batches, images,
                             caches, lint,     explanations, other_lines, origins,   fetches, pages};
    unsigned long passed = 0, failed = 0;

    for (void (*test)() : tests) {
        failures = 0;
        test();
        ++(failures == 0 ? passed : failed);
    }
    std::printf("hpp: %lu passed, %lu failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
