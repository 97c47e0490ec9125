// The differential test's driver for C++; wire.rs says what it reads and writes.
#include "../c/options.h"
#include <librobots.hpp>

#include <cstdint>
#include <cstring>
#include <functional>
#include <iostream>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

enum kind : std::uint32_t { word = 0, answer = 1, allowed = 2 };

// Little-endian machines only, as all of this test.
template <class Number>
Number read()
{
    char bytes[sizeof(Number)];
    Number number;
    if (!std::cin.read(bytes, sizeof bytes))
        throw std::runtime_error("the question ends early");
    std::memcpy(&number, bytes, sizeof number);
    return number;
}

std::string read_text()
{
    std::string text(read<std::uint32_t>(), '\0');
    if (!text.empty() && !std::cin.read(text.data(), static_cast<std::streamsize>(text.size())))
        throw std::runtime_error("the question ends early");
    return text;
}

std::vector<std::string> read_list()
{
    std::vector<std::string> list(read<std::uint32_t>());
    for (std::string &text : list)
        text = read_text();
    return list;
}

template <class Number>
void write(Number number)
{
    char bytes[sizeof number];
    std::memcpy(bytes, &number, sizeof number);
    std::cout.write(bytes, sizeof bytes);
}

void write_text(std::string_view text)
{
    write(static_cast<std::uint32_t>(text.size()));
    std::cout.write(text.data(), static_cast<std::streamsize>(text.size()));
}

void write_way(std::string_view name, kind of)
{
    write_text(name);
    write<std::uint32_t>(of);
}

void ask_each(std::string_view name, kind of, const std::vector<std::string> &urls,
              const std::function<std::uint64_t(const std::string &)> &ask)
{
    write_way(name, of);
    for (const std::string &url : urls)
        write(ask(url));
}

// check() throws what try_check() returns: the word is the same.
robots::verdict thrown_or_told(const robots::rules &rules, std::string_view url)
{
    try {
        return rules.check(url);
    } catch (const robots::error &error) {
        return robots::verdict(robots_verdict{static_cast<std::uint64_t>(error.status()) << 16});
    }
}

template <class Asked>
void ask_at_once(std::string_view name, const std::vector<std::string> &urls, const Asked &asked)
{
    std::string text;
    std::vector<std::uint64_t> offsets{0};
    for (const std::string &url : urls) {
        text += url;
        offsets.push_back(text.size());
    }
    std::vector<robots::answer> answers(urls.size());
    asked.check_batch(text, offsets, answers);
    write_way(name, answer);
    for (robots::answer one : answers)
        write(static_cast<std::uint64_t>(one));
}

void ask(const robots::rules &rules, const std::vector<std::string> &urls)
{
    const robots::rules copy = rules, again = robots::rules::from_image(rules.image());
    const robots::image_view image(rules.image());

    write<std::uint32_t>(8);
    ask_each("rules::try_check", word, urls, [&](const std::string &url) { return rules.try_check(url).bits(); });
    ask_each("rules::check", word, urls, [&](const std::string &url) { return thrown_or_told(copy, url).bits(); });
    ask_each("rules::try_check, from an image", word, urls,
             [&](const std::string &url) { return again.try_check(url).bits(); });
    ask_each("image_view::try_check", word, urls, [&](const std::string &url) { return image.try_check(url).bits(); });
    ask_each("rules::allowed", allowed, urls,
             [&](const std::string &url) { return std::uint64_t{rules.allowed(url)}; });
    ask_each("image_view::allowed", allowed, urls,
             [&](const std::string &url) { return std::uint64_t{image.allowed(url)}; });
    ask_at_once("rules::check_batch", urls, rules);
    ask_at_once("image_view::check_batch", urls, image);
}

std::uint32_t option_number(const std::string &name)
{
    for (const auto &row : option_rows) {
        if (name == row.name)
            return row.number;
    }
    throw std::runtime_error("tests/c/options.h lacks the option " + name + ": run `make api`");
}

robots::rules parse()
{
    std::vector<std::pair<std::uint32_t, std::uint64_t>> options(read<std::uint32_t>());
    for (auto &[number, value] : options) {
        number = option_number(read_text());
        value = read<std::uint64_t>();
    }
    const std::vector<std::string> tokens = read_list();
    const std::string body = read_text();

    if (tokens.empty())
        throw robots::error(ROBOTS_E_TOKEN);
    robots::crawler crawler(tokens[0]);
    for (const auto &[number, value] : options)
        crawler.set(number, value);
    for (std::size_t i = 1; i < tokens.size(); i++)
        crawler.add_token(tokens[i]);
    return crawler.parse(body);
}

void answer_one()
{
    robots::rules rules;
    robots_status status = ROBOTS_OK;
    try {
        rules = parse();
    } catch (const robots::error &error) {
        status = error.status();
    }
    const std::vector<std::string> urls = read_list();
    write(static_cast<std::uint32_t>(status));
    if (status == ROBOTS_OK) {
        std::uint64_t bits = std::numeric_limits<std::uint64_t>::max();
        if (const std::optional<double> delay = rules.crawl_delay())
            std::memcpy(&bits, &*delay, sizeof bits);
        write(bits);
        std::uint32_t sitemaps = 0;
        while (rules.sitemap(sitemaps))
            sitemaps++;
        write(sitemaps);
        for (std::uint32_t i = 0; i < sitemaps; i++)
            write_text(*rules.sitemap(i));
        write_text(rules.image());
        ask(rules, urls);
    }
    std::cout.flush();
}

} // namespace

int main()
{
    std::ios::sync_with_stdio(false);
    while (std::cin.peek() != std::char_traits<char>::eof())
        answer_one();
}
