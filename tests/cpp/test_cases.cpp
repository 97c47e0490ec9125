/* Runs the shared case files through librobots.hpp: test_cases FILE... tests/support/cases.rs describes their format. */
#include "../c/options.h"
#include "test_hpp.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

namespace {

constexpr std::array<std::string_view, 3> DIALECTS{"rfc9309", "google", "koster1996"};
constexpr std::array<std::string_view, 10> REASONS{"none", "rule_allowed", "rule_disallowed", "no_rule", "no_group",
                                                   "robots_txt", "allow_all", "disallow_all", "defer", "unreachable"};
struct test_case {
    std::string place;
    robots::dialect dialect = robots::dialect::rfc9309;
    std::vector<std::string> tokens;
    std::vector<std::pair<std::uint32_t, std::uint64_t>> options;
    std::string body;
    std::optional<robots::rules> rules; // from the first expectation on
    std::size_t sitemaps = 0;
    bool wants_sitemaps = false;
};

unsigned long passed, failed, compared, faults;

void expect(const test_case &it, bool holds, std::string_view what)
{
    compared++;
    if (holds)
        return;
    faults++;
    std::printf("FAIL %s: %.*s\n", it.place.c_str(), static_cast<int>(what.size()), what.data());
}

/* Cuts the first word, and the one space after it, off the front of `rest`. */
std::string_view next_word(std::string_view &rest)
{
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(word.size() < rest.size() ? word.size() + 1 : word.size());
    return word;
}

std::uint64_t number(std::string_view text)
{
    return std::strtoull(std::string(text).c_str(), nullptr, 10);
}

/* The index of `word` in a list; its length if it has no such word. */
template <class List>
std::size_t index_of(const List &list, std::string_view word)
{
    std::size_t i = 0;
    while (i < list.size() && list[i] != word)
        i++;
    return i;
}

/* Resolves escapes. A `\` at the end clears `ends_line`. */
std::string unescape(std::string_view text, bool *ends_line = nullptr)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); i++) {
        if (text[i] != '\\') {
            out += text[i];
            continue;
        }
        if (++i == text.size()) {
            if (ends_line != nullptr)
                *ends_line = false;
            break;
        }
        switch (text[i]) {
        case 'x':
            out += static_cast<char>(std::strtoul(std::string(text.substr(i + 1, 2)).c_str(), nullptr, 16));
            i += 2;
            break;
        case 'r': out += '\r'; break;
        case 'n': out += '\n'; break;
        case 't': out += '\t'; break;
        case 's': out += ' '; break;
        default: out += text[i];
        }
    }
    return out;
}

void add_line(test_case &it, std::string_view text, std::uint64_t times)
{
    bool ends = true;
    std::string line = unescape(text, &ends);
    if (ends)
        line += '\n';
    while (times-- > 0)
        it.body += line;
}

/* The dialect comes between the first token and the others. */
const robots::rules &rules_of(test_case &it)
{
    if (!it.rules) {
        robots::crawler crawler(it.tokens.empty() ? "ExampleBot" : it.tokens[0]);
        crawler.dialect(it.dialect);
        for (std::size_t i = 1; i < it.tokens.size(); i++)
            crawler.add_token(it.tokens[i]);
        for (const auto &[option, value] : it.options)
            crawler.set(option, value);
        it.rules = crawler.parse(it.body);
    }
    return *it.rules;
}

void expect_verdict(test_case &it, std::string_view word, std::string_view rest)
{
    const std::uint64_t line = number(next_word(rest));
    const std::size_t reason = index_of(REASONS, next_word(rest));
    const std::string url = unescape(rest);
    const robots::verdict got = rules_of(it).try_check(url);

    expect(it, reason < REASONS.size(), "a reason that is none");
    expect(it,
           got.status() == ROBOTS_OK && got.allowed() == (word == "allowed") && got.line() == line &&
               static_cast<std::size_t>(got.reason()) == reason,
           url + ": " + (got.allowed() ? "allowed " : "disallowed ") + std::to_string(got.line()) + ", reason " +
               std::to_string(static_cast<unsigned>(got.reason())));
    expect(it, rules_of(it).allowed(url) == got.allowed(), "allowed() and try_check() differ");
}

void expect_error(test_case &it, std::string_view rest)
{
    expect(it, next_word(rest) == "url", "an error that is not `url`");
    const std::string url = unescape(rest);
    expect(it, thrown([&] { static_cast<void>(rules_of(it).check(url)); }) == ROBOTS_E_URL, url + " is taken for a URL");
    expect(it, !rules_of(it).allowed(url), url + " is allowed");
}

void expect_refusal(const test_case &it, std::string_view escaped)
{
    const std::string token = unescape(escaped);
    robots::crawler crawler("ExampleBot");
    crawler.dialect(it.dialect);
    expect(it, thrown([&] { crawler.add_token(token); }) == ROBOTS_E_TOKEN, "the token was taken");
}

void expect_delay(test_case &it, std::string_view rest)
{
    const std::optional<double> got = rules_of(it).crawl_delay();
    const bool same = rest == "none" ? !got : got == std::strtod(std::string(rest).c_str(), nullptr);
    expect(it, same, "another crawl-delay");
}

void set_option(test_case &it, std::string_view rest)
{
    const std::string_view name = next_word(rest);
    for (const auto &row : option_rows) {
        if (row.name != name)
            continue;
        it.options.emplace_back(row.number, number(rest));
        return;
    }
    expect(it, false, "tests/c/options.h has no option " + std::string(name));
}

void take_line(test_case &it, std::string_view rest)
{
    const std::string_view word = next_word(rest);
    if (word == "dialect")
        it.dialect = static_cast<robots::dialect>(index_of(DIALECTS, rest));
    else if (word == "token")
        it.tokens.push_back(unescape(rest));
    else if (word == "set")
        set_option(it, rest);
    else if (word == "|")
        add_line(it, rest, 1);
    else if (word == "repeat") {
        const std::uint64_t times = number(next_word(rest));
        expect(it, next_word(rest) == "|", "repeats what is no line");
        add_line(it, rest, times);
    } else if (word == "allowed" || word == "disallowed")
        expect_verdict(it, word, rest);
    else if (word == "error")
        expect_error(it, rest);
    else if (word == "bad_token")
        expect_refusal(it, rest);
    else if (word == "delay")
        expect_delay(it, rest);
    else if (word == "sitemap") {
        it.wants_sitemaps = true;
        expect(it, rules_of(it).sitemap(it.sitemaps++) == unescape(rest), "another sitemap");
    } else if (word == "sitemaps" && rest == "0")
        it.wants_sitemaps = true;
    else
        expect(it, false, "a line that is none: " + std::string(word));
}

/* A case: its lines are run in order. */
void run_case(const std::string &place, const std::vector<std::string> &lines)
{
    const unsigned long compared_before = compared, faults_before = faults;
    test_case it;
    it.place = place;
    try {
        for (const std::string &line : lines)
            take_line(it, line);
        if (it.wants_sitemaps)
            expect(it, !rules_of(it).sitemap(it.sitemaps), "more sitemaps");
    } catch (const robots::error &error) {
        expect(it, false, error.what());
    }
    if (compared == compared_before)
        expect(it, false, "the case expects nothing");
    ++(faults == faults_before ? passed : failed);
}

void run_file(const std::string &name)
{
    std::ifstream in(name, std::ios::binary);
    std::string line, place;
    std::vector<std::string> lines;
    for (unsigned long number = 1; std::getline(in, line); number++) {
        if (line.empty() || line[0] == '#')
            continue;
        if (line.compare(0, 5, "case ") != 0) {
            lines.push_back(line);
            continue;
        }
        if (!place.empty())
            run_case(place, lines);
        place = name + ":" + std::to_string(number) + ": " + line.substr(5);
        lines.clear();
    }
    if (place.empty()) {
        failed++;
        std::printf("FAIL %s has no case\n", name.c_str());
    } else
        run_case(place, lines);
}

} // namespace

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        run_file(argv[i]);
    std::printf("cases of C++: %lu passed, %lu failed, %lu comparisons\n", passed, failed, compared);
    return failed == 0 && passed > 0 && failures == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
