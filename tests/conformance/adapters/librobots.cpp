// The adapter for librobots in C++: reads the simple form of a case, `fields:` (../README.md).
#include "options.h"
#include <librobots.hpp>

#include <algorithm>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace {

struct field {
    std::string name, text;
};
using fields = std::vector<field>;

fields split(const std::string &line)
{
    fields all;
    for (std::size_t at = 0; at <= line.size();) {
        const std::size_t equals = line.find('=', at), end = std::min(line.find('\t', at), line.size());
        std::string text;
        for (std::size_t i = equals + 1; i < end; i++) {
            if (line[i] == '%') {
                text += static_cast<char>(std::stoi(line.substr(i + 1, 2), nullptr, 16));
                i += 2;
            } else {
                text += line[i];
            }
        }
        all.push_back({line.substr(at, equals - at), text});
        at = end + 1;
    }
    return all;
}

std::string find(const fields &all, const std::string &name)
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const field &it) { return it.name == name; });
    return found == all.end() ? std::string() : found->text;
}

std::string escaped(std::string_view text)
{
    const char *digits = "0123456789ABCDEF";
    std::string out;
    for (const unsigned char byte : text) {
        if (byte > ' ' && byte < 127 && byte != '%')
            out += static_cast<char>(byte);
        else
            out += std::string("%") + digits[byte >> 4] + digits[byte & 15];
    }
    return out;
}

robots::crawler set_up(const fields &all)
{
    const std::map<std::string, robots::dialect> dialects = {
        {"rfc9309", robots::dialect::rfc9309}, {"google", robots::dialect::google}, {"koster1996", robots::dialect::koster1996}};
    robots::crawler crawler(find(all, "agent"));
    crawler.dialect(dialects.at(find(all, "dialect")));
    bool is_first = true;
    for (const field &it : all) {
        if (it.name == "option") {
            const std::string name = it.text.substr(0, it.text.find(':'));
            const std::uint64_t value = std::stoull(it.text.substr(name.size() + 1));
            for (const auto &row : option_rows)
                if (name == row.name) crawler.set(row.number, value);
        } else if (it.name == "agent" && !std::exchange(is_first, false)) {
            crawler.add_token(it.text);
        }
    }
    return crawler;
}

std::string word(robots::verdict verdict)
{
    if (verdict.status() != ROBOTS_OK)
        return "error";
    const bool is_outage = verdict.reason() == robots::reason::unreachable || verdict.reason() == robots::reason::defer;
    return verdict.allowed() ? "allow" : is_outage ? "defer" : "deny";
}

// Plays the attempts, and answers by the last outcome.
std::string play(const fields &all, const robots::crawler &crawler)
{
    const std::map<std::string, robots::failure> failures = {
        {"", robots::failure::none}, {"dns", robots::failure::dns}, {"connect", robots::failure::connect}, {"tls", robots::failure::tls},
        {"timeout", robots::failure::timeout}, {"reset", robots::failure::reset}, {"truncated", robots::failure::truncated},
        {"other", robots::failure::other}, {"encodedbody", robots::failure::encoded_body}};
    const std::string site = find(all, "site");
    std::uint64_t now = 0;
    robots::fetch fetch(crawler, site, now);
    robots::outcome last;
    for (auto it = all.begin(); it != all.end(); ++it) {
        if (it->name == "attempt") {
            now = std::stoull(it->text);
            fetch = robots::fetch(crawler, site, now);
            if (last)
                fetch.set_previous(last);
        } else if (it->name == "status") {
            fetch.status(static_cast<std::uint32_t>(std::stoul(it->text)), now);
        } else if (it->name == "header") {
            fetch.header(it->text, std::next(it)->text);
        } else if (it->name == "body") {
            fetch.headers_end();
            if (fetch.step() == robots::step::body)
                fetch.body(it->text);
        } else if (it->name == "end") {
            fetch.end(failures.at(it->text), now);
            if (fetch.step() == robots::step::done)
                last = fetch.outcome();
        }
    }
    if (find(all, "kind") == "due")
        return "value " + std::to_string(last.retry_at() - now);
    return word(last.try_check(find(all, "url"), std::stoull(find(all, "at"))));
}

std::string preferences(const fields &all, const robots::crawler &crawler)
{
    const robots::extensions extensions = crawler.extensions(find(all, "robots"));
    const robots::preferences found = extensions.preferences(find(all, "url"));
    std::string out = "value";
    for (std::size_t i = 0; i < found.size(); i++) {
        const robots::preferences::preference one = found[i];
        out += one.vocabulary == robots::vocabulary::content_usage ? " content-usage:" : " content-signal:";
        out += escaped(one.label) + '=' + "ny?"[static_cast<std::size_t>(one.choice)];
    }
    return out;
}

std::string page(const fields &all, const robots::crawler &crawler)
{
    using robots::control;
    const std::map<std::string, control> controls = {
        {"index", control::index}, {"follow", control::follow}, {"archive", control::archive}, {"snippet", control::snippet},
        {"translate", control::translate}, {"image_index", control::image_index}, {"index_if_embedded", control::index_if_embedded},
        {"max_snippet", control::max_snippet}, {"max_image_preview", control::max_image_preview},
        {"max_video_preview", control::max_video_preview}, {"unavailable_after", control::unavailable_after}};
    const std::map<robots::choice, std::string> choices = {
        {robots::choice::no, "no"}, {robots::choice::yes, "yes"}, {robots::choice::unknown, "unknown"}};
    robots::page_controls made(crawler);
    for (auto it = all.begin(); it != all.end(); ++it) {
        if (it->name == "header") made.add_header(it->text, std::next(it)->text);
        if (it->name == "meta") made.add_meta(it->text, std::next(it)->text);
    }
    const std::string which = find(all, "control");
    return "value " + (find(all, "kind") == "page" ? std::to_string(made.value(controls.at(which))) : choices.at(made.usage(which)));
}

std::string answer(const fields &all)
{
    const std::string kind = find(all, "kind");
    if (kind == "origin")
        return "value " + escaped(robots::origin(find(all, "url")).robots_url());
    if (kind == "governs")
        return robots::origin(find(all, "robots_url")).governs(find(all, "url")) ? "value yes" : "value no";
    const robots::crawler crawler = set_up(all);
    if (kind == "fetch" || kind == "due")
        return play(all, crawler);
    if (kind == "preferences")
        return preferences(all, crawler);
    if (kind == "page" || kind == "page-usage")
        return page(all, crawler);
    const robots::rules rules = crawler.parse(find(all, "robots"));
    std::ostringstream out;
    if (kind == "crawl-delay") {
        if (const std::optional<double> delay = rules.crawl_delay())
            out << "value " << std::setprecision(15) << *delay;
        else
            out << "value none";
    } else if (kind == "sitemaps") {
        out << "value";
        for (std::size_t i = 0; rules.sitemap(i); i++)
            out << ' ' << escaped(*rules.sitemap(i));
    } else {
        const robots::verdict verdict = rules.check(find(all, "url"));
        out << word(verdict) << ' ' << verdict.line();
    }
    return out.str();
}

} // namespace

int main()
{
    std::cout << "engine librobots-c++ " << ROBOTS_VERSION << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        try {
            std::cout << answer(split(line));
        } catch (const robots::error &error) {
            std::cout << "error " << error.what();
        }
        std::cout << std::endl;
    }
}
