/*
 * The interface of Google's robots.h (github.com/google/robotstxt) on librobots, for C++17. To replace Google's library, put this
 * folder in the include path in place of Google's sources, and link librobots in place of robots.cc:
 *
 *     c++ -std=c++17 -I/usr/local/include/librobots/googlebot crawler.cpp $(pkg-config --cflags --libs librobots)
 *
 * The verdicts are those of Google's matcher, in the dialect google, with three exceptions. A URL is disallowed if there are
 * more than 64 user agents, if its path and query exceed 64 KiB in canonical form, or if the body is the address of a file in
 * place of its content. RobotsMatcher has no protected members. Abseil is optional: without its header, a string is a
 * std::string_view. In new programs include librobots.hpp, which parses a file once for many URLs.
 */
#ifndef LIBROBOTS_GOOGLEBOT_ROBOTS_H
#define LIBROBOTS_GOOGLEBOT_ROBOTS_H

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>
#if defined(__has_include)
#if __has_include(<absl/strings/string_view.h>)
#include <absl/strings/string_view.h>
#endif
#endif

#include <librobots_tools.h>

namespace googlebot {

namespace detail {

#if defined(ABSL_STRINGS_STRING_VIEW_H_)
using text = absl::string_view;
#else
using text = std::string_view;
#endif

struct frees {
    void operator()(robots_crawler *crawler) const noexcept { robots_crawler_free(crawler); }
    void operator()(robots_lint_report *report) const noexcept { robots_lint_report_free(report); }
};
template <class Handle>
using owned = std::unique_ptr<Handle, frees>;

/// Returns whether a character is in one of the ranges of `pairs`, such as "azAZ".
inline bool is_in(char c, std::string_view pairs) noexcept
{
    for (std::size_t i = 0; i + 1 < pairs.size(); i += 2)
        if (pairs[i] <= c && c <= pairs[i + 1])
            return true;
    return false;
}

/// Returns a crawler that reads files as Google does; null on an error.
inline owned<robots_crawler> crawler_of(const std::vector<std::string> &tokens, bool ignore_star) noexcept
{
    robots_crawler *made = nullptr;
    robots_status status = robots_crawler_new("*", 1, &made);
    owned<robots_crawler> crawler(made);
    const auto set = [&](std::uint32_t option, std::uint64_t value) {
        if (status == ROBOTS_OK)
            status = robots_crawler_set(made, option, value);
    };
    set(ROBOTS_OPT_DIALECT, ROBOTS_DIALECT_GOOGLE);
    set(ROBOTS_OPT_MERGE_TOKENS, 1);
    set(ROBOTS_OPT_IGNORE_STAR, ignore_star);
    set(ROBOTS_OPT_MAX_BYTES, 1 << 30);
    for (const std::string &token : tokens)
        if (status == ROBOTS_OK)
            status = robots_crawler_add_token(made, token.data(), token.size());
    return status == ROBOTS_OK ? std::move(crawler) : nullptr;
}

/// Calls `receive` with each line of a file, as lint reads it.
template <class Receive>
void each_line(text body, Receive receive)
{
    const owned<robots_crawler> crawler = crawler_of({}, false);
    robots_lint_report *made = nullptr;
    if (robots_lint(crawler.get(), body.data(), body.size(), &made) != ROBOTS_OK)
        return;
    const owned<robots_lint_report> report(made);
    robots_lint_line line{};
    line.size = sizeof line;
    for (int number = 1; robots_lint_report_line(made, static_cast<std::size_t>(number), &line) == ROBOTS_OK; number++)
        receive(number, line);
}

/// Escapes the bytes of a value that are not ASCII, and changes the digits of its escapes to upper case.
inline std::string escaped(std::string_view value)
{
    constexpr char digits[] = "0123456789ABCDEF";
    const auto digit = [&](std::size_t at) { // in upper case; 0 for another character
        if (at >= value.size() || !is_in(value[at], "09afAF"))
            return '\0';
        return static_cast<char>(value[at] >= 'a' ? value[at] - 'a' + 'A' : value[at]);
    };
    std::string out;
    for (std::size_t i = 0; i < value.size(); i++) {
        const auto byte = static_cast<unsigned char>(value[i]);
        if (byte == '%' && digit(i + 1) != 0 && digit(i + 2) != 0) {
            out += {'%', digit(i + 1), digit(i + 2)};
            i += 2;
        } else if (byte >= 0x80) {
            out += {'%', digits[byte >> 4], digits[byte & 15]};
        } else {
            out += value[i];
        }
    }
    return out;
}

} // namespace detail

/// The type of the key of a line.
enum class KeyType { USER_AGENT = 0, SITEMAP = 1, ALLOW = 2, DISALLOW = 3, UNKNOWN = 128 };

namespace detail {

inline KeyType type_of(std::uint32_t kind) noexcept
{
    switch (kind) {
    case ROBOTS_LINE_USER_AGENT: return KeyType::USER_AGENT;
    case ROBOTS_LINE_ALLOW: return KeyType::ALLOW;
    case ROBOTS_LINE_DISALLOW: return KeyType::DISALLOW;
    case ROBOTS_LINE_SITEMAP: return KeyType::SITEMAP;
    default: return KeyType::UNKNOWN;
    }
}

/// Returns whether a key of a known type is a misspelling. A misspelling counts as the right word.
inline bool is_typo(KeyType type, std::string_view key)
{
    constexpr std::string_view names[] = {"user-agent", "sitemap", "allow", "disallow"};
    if (type == KeyType::UNKNOWN)
        return false;
    const std::string_view name = names[static_cast<std::size_t>(type)];
    for (std::size_t i = 0; i < name.size(); i++)
        if (i >= key.size() || (is_in(key[i], "AZ") ? key[i] - 'A' + 'a' : key[i]) != name[i])
            return true;
    return false;
}

} // namespace detail

/// Returns the type of a key. Writes to `*is_acceptable_typo` whether the key is an accepted misspelling.
inline KeyType GetKeyType(detail::text key, bool *is_acceptable_typo)
{
    KeyType type = KeyType::UNKNOWN;
    detail::each_line(std::string(key) + ": /", [&](int, const robots_lint_line &line) { type = detail::type_of(line.kind); });
    *is_acceptable_typo = detail::is_typo(type, {key.data(), key.size()});
    return type;
}

/// Receives the lines of a robots.txt in their order, from ParseRobotsTxt().
class RobotsParseHandler {
public:
    RobotsParseHandler() = default;
    virtual ~RobotsParseHandler() = default;
    RobotsParseHandler(const RobotsParseHandler &) = delete;
    RobotsParseHandler &operator=(const RobotsParseHandler &) = delete;

    virtual void HandleRobotsStart() = 0;
    virtual void HandleRobotsEnd() = 0;
    virtual void HandleUserAgent(int line_num, detail::text value) = 0;
    virtual void HandleAllow(int line_num, detail::text value) = 0;
    virtual void HandleDisallow(int line_num, detail::text value) = 0;
    virtual void HandleSitemap(int line_num, detail::text value) = 0;
    /// Receives a line with any other key.
    virtual void HandleUnknownAction(int line_num, detail::text action, detail::text value) = 0;

    struct LineMetadata {
        bool is_empty = false;
        bool has_comment = false;
        bool is_comment = false; ///< nothing but a comment
        bool has_directive = false;
        bool is_acceptable_typo = false;
        bool is_line_too_long = false; ///< more than 16,663 bytes; the rest is not read
        bool is_missing_colon_separator = false;
    };
    virtual void ReportLineMetadata(int /*line_num*/, const LineMetadata & /*metadata*/) {}
};

/// Passes the lines of a robots.txt to a handler.
inline void ParseRobotsTxt(detail::text robots_body, RobotsParseHandler *parse_callback)
{
    const std::string_view body(robots_body.data(), robots_body.size());
    RobotsParseHandler &handler = *parse_callback;
    int last = 0;
    handler.HandleRobotsStart();
    detail::each_line(robots_body, [&](int number, const robots_lint_line &line) {
        const std::string_view raw = body.substr(line.start, line.end - line.start), content = raw.substr(0, raw.find('#'));
        const std::string_view field(line.field.ptr, line.field.len), written(line.value.ptr, line.value.len);
        RobotsParseHandler::LineMetadata metadata;
        metadata.is_empty = line.kind == ROBOTS_LINE_BLANK;
        metadata.has_comment = content.size() < raw.size();
        metadata.is_comment = line.kind == ROBOTS_LINE_COMMENT;
        metadata.has_directive = !metadata.is_empty && !metadata.is_comment && line.kind != ROBOTS_LINE_NOT_UNDERSTOOD;
        metadata.is_line_too_long = raw.size() > 8 * 2083 - 1;
        if (metadata.has_directive) {
            const KeyType type = detail::type_of(line.kind);
            metadata.is_acceptable_typo = detail::is_typo(type, field);
            metadata.is_missing_colon_separator = content.find(':') == content.npos;
            const bool as_written = type == KeyType::USER_AGENT || type == KeyType::SITEMAP;
            const std::string value = as_written ? std::string(written) : detail::escaped(written);
            switch (type) {
            case KeyType::USER_AGENT: handler.HandleUserAgent(number, value); break;
            case KeyType::ALLOW: handler.HandleAllow(number, value); break;
            case KeyType::DISALLOW: handler.HandleDisallow(number, value); break;
            case KeyType::SITEMAP: handler.HandleSitemap(number, value); break;
            case KeyType::UNKNOWN: handler.HandleUnknownAction(number, detail::text(field.data(), field.size()), value); break;
            }
        }
        handler.ReportLineMetadata(last = number, metadata);
    });
    if (body.empty() || body.back() == '\n' || body.back() == '\r') { // Google counts the empty line after the last line end
        RobotsParseHandler::LineMetadata metadata;
        metadata.is_empty = true;
        handler.ReportLineMetadata(last + 1, metadata);
    }
    handler.HandleRobotsEnd();
}

/// Returns the path of a URL, with parameters and query; "/" if there is none.
inline std::string GetPathParamsQuery(const std::string &url)
{
    const std::size_t start = url.compare(0, 2, "//") == 0 ? 2 : 0;
    const std::size_t scheme = url.find("://", start);
    const bool has_scheme = scheme != url.npos && scheme <= url.find_first_of("/?;", start);
    const std::size_t path = url.find_first_of("/?;", has_scheme ? scheme + 3 : start);
    const std::size_t fragment = url.find('#', start);
    if (path == url.npos || fragment < path)
        return "/";
    const std::string found = url.substr(path, fragment == url.npos ? fragment : fragment - path);
    return found[0] == '/' ? found : '/' + found;
}

/// Sets `*dst` to the canonical form of a pattern: `src` if it has that form, else a new array, which the caller deletes.
/// Returns whether the array is new.
inline bool MaybeEscapePattern(const char *src, char **dst)
{
    const std::string form = detail::escaped(src);
    *dst = const_cast<char *>(src);
    if (form == src)
        return false;
    *dst = new char[form.size() + 1];
    std::memcpy(*dst, form.c_str(), form.size() + 1);
    return true;
}

/// Matches URLs with a robots.txt. One object serves any number of files and URLs, in one thread at a time.
class RobotsMatcher {
public:
    RobotsMatcher() = default;
    RobotsMatcher(const RobotsMatcher &) = delete;
    RobotsMatcher &operator=(const RobotsMatcher &) = delete;

    /// Returns whether a user agent has only letters, `_` and `-`, and is not empty. A line cannot name any other user agent.
    static bool IsValidUserAgentToObey(detail::text user_agent)
    {
        for (const char c : user_agent)
            if (!detail::is_in(c, "azAZ__--"))
                return false;
        return !user_agent.empty();
    }
    /// Returns whether any of the user agents may fetch a URL.
    bool AllowedByRobots(detail::text robots_body, const std::vector<std::string> *user_agents, const std::string &url)
    {
        std::vector<std::string> tokens;
        for (const std::string &agent : *user_agents)
            if (IsValidUserAgentToObey(agent))
                tokens.push_back(agent);
        // With an authority, a path that begins with // stays a path. Google's path ends before a NUL.
        const std::string place = "http://h" + std::string(GetPathParamsQuery(url).c_str());
        const auto check = [&](bool ignore_star) {
            return robots_check_once(detail::crawler_of(tokens, ignore_star).get(), robots_body.data(), robots_body.size(),
                                     place.data(), place.size());
        };
        verdict_ = check(false);
        specific_ = tokens.empty() ? verdict_ : check(true);
        is_specific_ = !tokens.empty() && (specific_.bits >> 8 & 0xFFu) != ROBOTS_REASON_NO_GROUP;
        return !disallow();
    }
    bool OneAgentAllowedByRobots(detail::text robots_txt, const std::string &user_agent, const std::string &url)
    {
        const std::vector<std::string> agents{user_agent};
        return AllowedByRobots(robots_txt, &agents, url);
    }
    bool disallow() const { return (verdict_.bits & 1) == 0; }
    /// Returns whether groups that name a user agent disallow the URL; groups of `*` do not count.
    bool disallow_ignore_global() const { return is_specific_ && (specific_.bits & 1) == 0; }
    /// Returns whether a group names one of the user agents.
    bool ever_seen_specific_agent() const { return is_specific_; }
    /// Returns the line of the rule that decided, from 1; 0 if no rule decided.
    int matching_line() const { return static_cast<int>(verdict_.bits >> 32); }

private:
    robots_verdict verdict_{1}, specific_{1}; ///< before the first file every URL is allowed
    bool is_specific_ = false;
};

} // namespace googlebot

#endif
