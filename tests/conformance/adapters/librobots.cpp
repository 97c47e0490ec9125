// The adapter for librobots in C++: reads the simple form of a case, `fields:` (../README.md).
#include <librobots.hpp>

#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace {

using fields = std::multimap<std::string, std::string>;

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
        all.emplace(line.substr(at, equals - at), text);
        at = end + 1;
    }
    return all;
}

std::string find(const fields &all, const std::string &name)
{
    const auto found = all.find(name);
    return found == all.end() ? std::string() : found->second;
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
    const auto agents = all.equal_range("agent");
    robots::crawler crawler(agents.first->second);
    crawler.dialect(dialects.at(find(all, "dialect")));
    const auto options = all.equal_range("option");
    for (auto option = options.first; option != options.second; ++option) {
        const std::string name = option->second.substr(0, option->second.find(':'));
        const std::uint64_t value = std::stoull(option->second.substr(name.size() + 1));
        if (name == "max_bytes") crawler.max_bytes(value);
        if (name == "ignore_star") crawler.ignore_star(value != 0);
        if (name == "merge_tokens") crawler.merge_tokens(value != 0);
        if (name == "crawl_delay_ends_agents") crawler.crawl_delay_ends_agents(value != 0);
    }
    for (auto agent = std::next(agents.first); agent != agents.second; ++agent)
        crawler.add_token(agent->second);
    return crawler;
}

void answer(const fields &all)
{
    const std::string kind = find(all, "kind");
    if (kind != "check" && kind != "crawl-delay" && kind != "sitemaps") {
        std::cout << "unsupported " << kind;
        return;
    }
    const robots::rules rules = set_up(all).parse(find(all, "robots"));
    if (kind == "crawl-delay") {
        if (const std::optional<double> delay = rules.crawl_delay())
            std::cout << "value " << *delay;
        else
            std::cout << "value none";
    } else if (kind == "sitemaps") {
        std::cout << "value";
        for (std::size_t i = 0; rules.sitemap(i); i++)
            std::cout << ' ' << escaped(*rules.sitemap(i));
    } else {
        const robots::verdict verdict = rules.check(find(all, "url"));
        const bool is_outage = verdict.reason() == robots::reason::unreachable || verdict.reason() == robots::reason::defer;
        std::cout << (verdict.allowed() ? "allow " : is_outage ? "defer " : "deny ") << verdict.line();
    }
}

} // namespace

int main()
{
    std::cout << "engine librobots-c++ " << ROBOTS_VERSION << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        try {
            answer(split(line));
        } catch (const robots::error &error) {
            std::cout << "error " << error.what();
        }
        std::cout << std::endl;
    }
}
