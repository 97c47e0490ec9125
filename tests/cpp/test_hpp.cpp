/* librobots.hpp: crawlers, rules, verdicts, batches and images, used well and used wrongly. */
#include "test_hpp.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <thread>
#include <type_traits>
#include <vector>
#if __cplusplus >= 202002L
#include <span>
#endif

namespace {

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
    static_assert(noexcept(rules.try_check("")) && noexcept(rules.allowed("")) && noexcept(rules.crawl_delay()));
    static_assert(noexcept(rules.try_check_batch("", robots::span<const std::uint64_t>(), {})));
    static_assert(noexcept(rules.sitemap(0)) && noexcept(rules.image()) && noexcept(robots::rules(rules)));
    static_assert(noexcept(crawler.try_parse("")) && noexcept(robots::rules::try_from_image("")));
    static_assert(noexcept(robots::crawler::try_make("")) && !noexcept(rules.check("")));

    // A verdict can be a constant.
    constexpr robots::verdict none;
    static_assert(!none.allowed() && none.status() == ROBOTS_E_STATE && none.line() == 0);
    constexpr robots::verdict word(robots_verdict{std::uint64_t{7} << 32 | 2 << 8});
    static_assert(word.line() == 7 && word.reason() == robots::reason::rule_disallowed && word != none);
}

void verdicts()
{
    const robots::rules rules = parse(BODY);
    const robots::verdict verdict = rules.check("https://example.com/private/x");

    CHECK(!verdict.allowed());
    CHECK(verdict.reason() == robots::reason::rule_disallowed);
    CHECK(verdict.line() == 2 && verdict.status() == ROBOTS_OK);
    CHECK(verdict.bits() == robots_rules_check(rules.get(), "/private/x", 10).bits);
    CHECK(verdict == rules.try_check(std::string("/private/y")));
    CHECK(rules.check("/x").allowed() && rules.check("/x").reason() == robots::reason::no_rule);
    CHECK(rules.allowed("/x") && !rules.allowed("/private"));
    CHECK(rules.check("/robots.txt").reason() == robots::reason::robots_txt);
    CHECK(!rules.allowed(std::string_view("/private\0", 9)));

    CHECK(thrown([&] { (void)rules.check("no url"); }) == ROBOTS_E_URL);
    CHECK(thrown([&] { (void)rules.check({}); }) == ROBOTS_E_URL);
    CHECK(rules.try_check("no url").status() == ROBOTS_E_URL && !rules.allowed("no url"));
    const robots::rules of_address = robots::crawler("ExampleBot").parse("https://example.com/robots.txt");
    CHECK(of_address.try_check("/x").status() == ROBOTS_E_ARG && !of_address.allowed("/x"));

    CHECK(robots::reason_text(robots::reason::unreachable) == robots_reason_text(ROBOTS_REASON_UNREACHABLE));
    CHECK(robots::rules::allow_all().check("/x").reason() == robots::reason::allow_all);
    CHECK(robots::rules::disallow_all().check("/x").reason() == robots::reason::disallow_all);
    CHECK(line_from_another_file(rules) == 2);

    const robots::rule_list list(robots::crawler("ExampleBot").parse("user-agent: *\ndisallow: /b%7e$\nallow: /*.a\n"));
    CHECK(list.size() == 2 && list[0].pattern == "/b~$" && !list[0].allow);
    CHECK(list[1].pattern == "/*.a" && list[1].allow && list[1].line == 3);
    std::string patterns;
    for (const robots::rule_list::rule &rule : list)
        patterns += rule.pattern;
    CHECK(patterns == "/b~$/*.a" && std::distance(list.begin(), list.end()) == 2);
    CHECK(std::find_if(list.begin(), list.end(), [](const auto &rule) { return rule.allow; })->line == 3);
    auto second = list.begin();
    CHECK(second++->line == 2 && second->line == 3 && second != list.begin() && second == ++list.begin());
    CHECK(thrown([&] { (void)list[2]; }) == ROBOTS_END);
    CHECK(thrown([] { (void)robots::rule_list(robots::rules()); }) == ROBOTS_E_ARG);

    const robots::difference found = rules.difference(parse("user-agent: *\nallow: /private/x\ndisallow: /private\n"));
    CHECK(found.result() == robots::difference_result::found && found.size() == 1);
    CHECK(found[0].text == "/private/x" && found[0].verdicts[0] == verdict && found[0].verdicts[1].allowed());
    CHECK(thrown([&] { (void)found[1]; }) == ROBOTS_END);
    CHECK(rules.difference(rules).result() == robots::difference_result::none);
    CHECK(thrown([&] { (void)rules.difference(robots::rules()); }) == ROBOTS_E_ARG);
}

void crawlers()
{
    CHECK(thrown([] { robots::crawler("Example Bot"); }) == ROBOTS_E_TOKEN);
    CHECK(thrown([] { robots::crawler{std::string_view()}; }) == ROBOTS_E_TOKEN);
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
    robots::crawler koster = robots::crawler::without_token();
    koster.dialect(robots::dialect::koster1996).add_token("Other+");
    CHECK(!koster.parse("user-agent: other+\ndisallow: /\n").allowed("/x"));
    crawler.dialect(robots::dialect::google);
    CHECK(!crawler.parse("user-agent: images\ndisallow: /*x\n").allowed("/ax"));

    CHECK(thrown([&] { crawler.add_token("360Spider"); }) == ROBOTS_E_TOKEN);
    CHECK(thrown([&] { crawler.set(1000, 0); }) == ROBOTS_E_ARG);
    CHECK(argument_of([&] { crawler.set(1000, 0); }) == "option");
    CHECK(thrown([&] { crawler.max_bytes(1); }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { crawler.dialect(static_cast<robots::dialect>(9)); }) == ROBOTS_E_ARG);

    // Moved: the new one has it all, the old one has nothing and says so.
    robots::crawler moved = std::move(crawler);
    CHECK(moved.parse("user-agent: news\ndisallow: /\n").allowed("/x") == false);
    CHECK(crawler.get() == nullptr && moved.get() != nullptr);
    CHECK(thrown([&] { (void)crawler.parse(BODY); }) == ROBOTS_E_ARG);
    CHECK(thrown([&] { crawler.ignore_star(true); }) == ROBOTS_E_ARG);
    CHECK(crawler.try_parse(BODY).status() == ROBOTS_E_ARG && moved.try_parse(BODY)->allowed("/x"));
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
    CHECK(!second.crawl_delay() && !second.sitemap(0) && second.image().empty());

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
    CHECK(rules.sitemap(0) == "/1.xml" && rules.sitemap(1) == "/2.xml");
    CHECK(!rules.sitemap(2));
    const robots::image_view image(rules.image());
    CHECK(rules.sitemaps().size() == 2 && rules.sitemaps()[1] == "/2.xml" && !rules.sitemaps().try_at(2));
    CHECK(std::equal(image.sitemaps().begin(), image.sitemaps().end(), rules.sitemaps().begin()));
    CHECK(!parse("").crawl_delay());
    CHECK(parse("user-agent: *\ncrawl-delay: 0\n").crawl_delay() == 0.0);
    CHECK(robots::version() == ROBOTS_VERSION && robots::version_number() == ROBOTS_VERSION_NUMBER);
}

template <class Asked>
void batch_of(const Asked &asked)
{
    const std::string text = "/x/privateno url";
    std::vector<std::uint64_t> offsets = {0, 2, 10, 16};
    std::array<robots::batch_answer, 3> answers{};
    const std::array<robots::batch_answer, 3> right = {robots::batch_answer::allowed, robots::batch_answer::disallowed,
                                                 robots::batch_answer::bad_url};

    asked.check_batch(text, offsets, answers);
    CHECK(answers == right);

    // What does not fit together is an error, and disallows all, above all what C could not see.
    const auto refuses = [&](std::string_view urls, robots::span<const std::uint64_t> wrong) {
        answers.fill(robots::batch_answer::allowed);
        CHECK(asked.try_check_batch(urls, wrong, answers) == ROBOTS_E_ARG);
        for (const robots::batch_answer answer : answers)
            CHECK(answer == robots::batch_answer::disallowed);
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
    const std::uint64_t zero[] = {0};
    CHECK(asked.try_check_batch({}, zero, {}) == ROBOTS_OK);
    CHECK(asked.try_check_batch({}, robots::span<const std::uint64_t>(), {}) == ROBOTS_OK);
}

void batches()
{
    const robots::rules rules = parse(BODY);
    batch_of(rules);
    batch_of(robots::image_view(rules.image()));

    const std::vector<std::uint64_t> wide = {0, 2, 10};
    robots::batch_answer answers[2] = {};
    rules.check_batch("/x/private", wide, answers);
    CHECK(answers[0] == robots::batch_answer::allowed && answers[1] == robots::batch_answer::disallowed);
    CHECK(thrown([&] { rules.check_batch("/x/privat", wide, answers); }) == ROBOTS_E_ARG);
    CHECK(argument_of([&] { rules.check_batch("/x/privat", wide, answers); }) == "offsets");
    CHECK(answers[0] == robots::batch_answer::disallowed);
    robots::image_view(rules.image()).check_batch("/x/private", wide, answers);
    CHECK(answers[0] == robots::batch_answer::allowed && answers[1] == robots::batch_answer::disallowed);
#if __cplusplus >= 202002L
    const std::span<const std::uint64_t> standard(wide);
    rules.check_batch("/x/private", standard, std::span<robots::batch_answer>(answers));
    CHECK(answers[0] == robots::batch_answer::allowed);
#endif
    CHECK(robots::rules().try_check_batch("/x/private", wide, answers) == ROBOTS_E_ARG);
    CHECK(answers[0] == robots::batch_answer::disallowed && answers[1] == robots::batch_answer::disallowed);
}

void images()
{
    const robots::rules rules = parse(BODY);
    const std::string stored(rules.image());
    const robots::image_view image(stored);

    image.validate();
    CHECK(image.check("/private") == rules.check("/private") && image.allowed("/x"));
    CHECK(image.crawl_delay() == 2.5 && !image.sitemap(2) && image.sitemap(1) == "/2.xml");
    const robots::rules again = robots::rules::from_image(stored);
    CHECK(again.image() == stored && !again.allowed("/private"));

    const std::string_view cut = std::string_view(stored).substr(1);
    CHECK(robots::image_view(cut).try_validate() == ROBOTS_E_IMAGE);
    CHECK(thrown([&] { robots::image_view(cut).validate(); }) == ROBOTS_E_IMAGE);
    CHECK(thrown([&] { (void)robots::image_view(cut).check("/x"); }) == ROBOTS_E_IMAGE);
    CHECK(thrown([&] { (void)robots::rules::from_image(cut); }) == ROBOTS_E_IMAGE);
    CHECK(robots::rules::try_from_image(cut).status() == ROBOTS_E_IMAGE);
    CHECK(robots::rules::try_from_image(stored)->allowed("/x"));
    CHECK(!robots::image_view({}).allowed("/x"));
    std::string changed = stored; // its header is that of an image
    changed.back() ^= 1;
    CHECK(robots::image_view(changed).try_validate() == ROBOTS_E_IMAGE);
}

/* Where C++23 is, a robots::expected becomes a standard one. */
void standard_expected()
{
#if defined(__cpp_lib_expected)
    const std::expected<robots::rules, robots_status> found = robots::crawler("ExampleBot").try_parse(BODY);
    CHECK(found && found->allowed("/x"));
    const std::expected<robots::crawler, robots_status> none = robots::crawler::try_make("Example Bot");
    CHECK(!none && none.error() == ROBOTS_E_TOKEN);
#endif
    robots::expected<robots::crawler> made = robots::crawler::try_make("ExampleBot");
    CHECK(made.has_value() && made.status() == ROBOTS_OK && std::move(made).value().get() != nullptr);
    CHECK(thrown([] { (void)robots::crawler::try_make("Example Bot").value(); }) == ROBOTS_E_TOKEN);
    // Another argument is refused before the value is asked for.
    auto later = robots::rules().try_difference(robots::rules());
    CHECK(argument_of([&] { robots::crawler("ExampleBot").set(1000, 0); }) == "option");
    CHECK(argument_of([&] { (void)std::move(later).value(); }) == "rules");
    CHECK(!robots::expected<robots::rules>() && robots::expected<robots::rules>().status() == ROBOTS_E_ARG);
}

} // namespace

int main()
{
    void (*const tests[])() = {types,  verdicts, crawlers,     sharing,     file_wide, batches, images,
                             caches, lint,     explanations, other_lines, origins,   fetches, runs, pages, uses,
                             without_exceptions, standard_expected};
    unsigned long passed = 0, failed = 0;

    for (void (*test)() : tests) {
        failures = 0;
        test();
        ++(failures == 0 ? passed : failed);
    }
    std::printf("hpp: %lu passed, %lu failed\n", passed, failed);
    return failed == 0 ? 0 : 1;
}
