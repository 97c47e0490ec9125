/*
 * librobots for C++17: the functions of librobots.h as types that own what they hold.
 *
 *     robots::crawler crawler("ExampleBot");
 *     robots::rules rules = crawler.parse(body);             // any bytes; keep it, share it
 *     if (rules.allowed("https://example.com/page")) ...     // any thread; no allocation, no lock
 *     robots::verdict why = rules.check("https://example.com/page");
 *
 * What holds for all of it:
 * - Text in is a std::string_view of any octets and is not kept. Text out is a std::string_view into the object
 *   it came from, and lives as long.
 * - A failure throws robots::error, the only exception. Each call that may throw where it matters has a twin, try_...,
 *   which is noexcept and returns the status or a verdict that carries it. Without exceptions (-fno-exceptions) what
 *   would throw ends the program; use the twins.
 * - An object that was moved from is empty: it answers ROBOTS_E_ARG and allows nothing. Misuse never permits a fetch.
 * - const members may be called from many threads at once.
 * - No macro is defined but the guard. librobots.h says the rest: it is the manual of each function.
 */
#ifndef LIBROBOTS_HPP
#define LIBROBOTS_HPP

#if __cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L)
#error "librobots.hpp needs C++17: compile with -std=c++17 or newer, or include librobots.h, for which C++11 will do"
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <type_traits>
#include <utility>

#include <librobots.h>

namespace robots {

/// What went wrong, as a number (`ROBOTS_E_...`) and as a sentence that says what to do next.
class error : public std::runtime_error {
public:
    explicit error(robots_status status) : std::runtime_error(robots_status_text(status)), status_(status) {}

    [[nodiscard]] robots_status status() const noexcept { return status_; }

private:
    robots_status status_;
};

/// Which reading of the protocol decides.
enum class dialect : std::uint32_t {
    rfc9309 = ROBOTS_DIALECT_RFC9309,
    google = ROBOTS_DIALECT_GOOGLE,
    koster1996 = ROBOTS_DIALECT_KOSTER1996
};

/// Why a verdict is what it is. Later versions may add reasons.
enum class reason : std::uint8_t {
    none = ROBOTS_REASON_NONE,
    rule_allowed = ROBOTS_REASON_RULE_ALLOWED,
    rule_disallowed = ROBOTS_REASON_RULE_DISALLOWED,
    no_rule = ROBOTS_REASON_NO_RULE,
    no_group = ROBOTS_REASON_NO_GROUP,
    robots_txt = ROBOTS_REASON_ROBOTS_TXT,
    allow_all = ROBOTS_REASON_ALLOW_ALL,
    disallow_all = ROBOTS_REASON_DISALLOW_ALL,
    defer = ROBOTS_REASON_DEFER
};

/// One answer of a batch.
enum class answer : std::uint8_t {
    disallowed = ROBOTS_DISALLOWED,
    allowed = ROBOTS_ALLOWED,
    bad_url = ROBOTS_BAD_URL
};

/// What became of a rule that matches. Later versions may add results.
enum class result : std::uint32_t {
    won = ROBOTS_MATCH_WON,
    shorter = ROBOTS_MATCH_SHORTER,
    tie_lost_to_allow = ROBOTS_MATCH_TIE_LOST_TO_ALLOW,
    later_equal = ROBOTS_MATCH_LATER_EQUAL,
    after_first_match = ROBOTS_MATCH_AFTER_FIRST_MATCH,
    empty = ROBOTS_MATCH_EMPTY
};

/// What a line without effect on a verdict is about. Later versions may add fields.
enum class extension_field : std::uint32_t {
    request_rate = ROBOTS_EXTENSION_REQUEST_RATE,
    visit_time = ROBOTS_EXTENSION_VISIT_TIME,
    host = ROBOTS_EXTENSION_HOST,
    clean_param = ROBOTS_EXTENSION_CLEAN_PARAM,
    noindex = ROBOTS_EXTENSION_NOINDEX,
    content_signal = ROBOTS_EXTENSION_CONTENT_SIGNAL,
    content_usage = ROBOTS_EXTENSION_CONTENT_USAGE
};

/// Whose label a preference has. Later versions may add vocabularies.
enum class vocabulary : std::uint32_t {
    content_usage = ROBOTS_VOCABULARY_CONTENT_USAGE,
    content_signal = ROBOTS_VOCABULARY_CONTENT_SIGNAL
};

/// What is preferred; unknown says nothing.
enum class choice : std::uint32_t { no = ROBOTS_CHOICE_NO, yes = ROBOTS_CHOICE_YES, unknown = ROBOTS_CHOICE_UNKNOWN };

/// Elements that somebody else holds: a pointer and a count, or whatever has data() and size(): a std::vector,
/// std::array, std::span.
template <class T>
class span {
public:
    constexpr span() noexcept = default;
    constexpr span(T *data, std::size_t size) noexcept : data_(data), size_(size) {}
    template <std::size_t N>
    constexpr span(T (&array)[N]) noexcept : data_(array), size_(N) {}
    template <class Container, class = std::enable_if_t<!std::is_array_v<std::remove_reference_t<Container>> &&
                  std::is_convertible_v<std::remove_pointer_t<decltype(std::declval<Container &>().data())> (*)[],
                                        T (*)[]>>>
    constexpr span(Container &&container) noexcept : data_(container.data()), size_(container.size()) {}

    [[nodiscard]] constexpr T *data() const noexcept { return data_; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

private:
    T *data_ = nullptr;
    std::size_t size_ = 0;
};

/// The answer about one URL: one word, to be copied like a number.
class verdict {
public:
    /// No answer: not allowed, ROBOTS_E_ARG.
    constexpr verdict() noexcept = default;
    /// The word of the C functions.
    constexpr explicit verdict(robots_verdict bits) noexcept : bits_(bits) {}

    /// Whether the URL may be fetched; never with an error.
    [[nodiscard]] constexpr bool allowed() const noexcept { return (bits_ & 1u) != 0; }
    [[nodiscard]] constexpr robots::reason reason() const noexcept
    {
        return static_cast<robots::reason>(bits_ >> 8 & 0xFFu);
    }
    /// ROBOTS_OK, or why there is no answer.
    [[nodiscard]] constexpr robots_status status() const noexcept
    {
        return static_cast<robots_status>(bits_ >> 16 & 0xFFFFu);
    }
    /// The line of the robots.txt that decided, counted from 1; 0: none did.
    [[nodiscard]] constexpr std::uint32_t line() const noexcept { return static_cast<std::uint32_t>(bits_ >> 32); }
    [[nodiscard]] constexpr robots_verdict bits() const noexcept { return bits_; }

    friend constexpr bool operator==(verdict a, verdict b) noexcept { return a.bits_ == b.bits_; }
    friend constexpr bool operator!=(verdict a, verdict b) noexcept { return a.bits_ != b.bits_; }

private:
    robots_verdict bits_ = robots_verdict{ROBOTS_E_ARG} << 16;
};

namespace detail {

[[noreturn]] inline void fail(robots_status status)
{
#if defined(__cpp_exceptions)
    throw error(status);
#else
    static_cast<void>(status);
    std::abort();
#endif
}

inline void require(robots_status status)
{
    if (status != ROBOTS_OK)
        fail(status);
}

inline std::string_view view(robots_str text) noexcept { return {text.ptr, text.len}; }

/// What rules and images have in common, in terms of what `Source` (by its raw_... functions) tells of the C API.
template <class Source>
class asked {
public:
    /// Decides on one URL. Throws robots::error for what is no URL and for an object or image that cannot answer.
    [[nodiscard]] verdict check(std::string_view url) const
    {
        const verdict result = try_check(url);
        require(result.status());
        return result;
    }
    /// The same; an error is in the verdict, which then allows nothing.
    [[nodiscard]] verdict try_check(std::string_view url) const noexcept
    {
        return verdict(self().raw_check(url.data(), url.size()));
    }
    /// Whether a URL may be fetched; false for what cannot be answered.
    [[nodiscard]] bool allowed(std::string_view url) const noexcept { return try_check(url).allowed(); }

    /// Decides on many URLs at once. URL i is `text[offsets[i]]` to `text[offsets[i + 1]]`, as in Apache Arrow, so
    /// there is one offset more than `answers`. Throws robots::error when the sizes do not fit together, or offsets
    /// decrease or lead out of `text`.
    void check_batch(std::string_view text, span<const std::uint32_t> offsets, span<answer> answers) const
    {
        require(try_check_batch(text, offsets, answers));
    }
    /// The same; returns the status. With an error every answer is answer::disallowed.
    [[nodiscard]] robots_status try_check_batch(std::string_view text, span<const std::uint32_t> offsets,
                                                span<answer> answers) const noexcept
    {
        return batch(text, offsets, answers);
    }
    /// The same for texts of 4 GiB and more; rules only.
    void check_batch(std::string_view text, span<const std::uint64_t> offsets, span<answer> answers) const
    {
        require(try_check_batch(text, offsets, answers));
    }
    [[nodiscard]] robots_status try_check_batch(std::string_view text, span<const std::uint64_t> offsets,
                                                span<answer> answers) const noexcept
    {
        return batch(text, offsets, answers);
    }

    /// Seconds between two fetches, if the file asks for it.
    [[nodiscard]] std::optional<double> crawl_delay() const noexcept
    {
        const double seconds = self().raw_crawl_delay();
        return seconds == seconds ? std::optional<double>(seconds) : std::nullopt; // NaN: none
    }

    [[nodiscard]] std::size_t sitemap_count() const noexcept { return self().raw_sitemap_count(); }
    /// One sitemap as it is written; empty past the last. Lives as long as this object (an image: as its octets).
    [[nodiscard]] std::string_view sitemap(std::size_t index) const noexcept
    {
        return view(self().raw_sitemap(index));
    }

private:
    friend Source;
    asked() noexcept = default;
    [[nodiscard]] const Source &self() const noexcept { return static_cast<const Source &>(*this); }

    template <class Offset>
    robots_status batch(std::string_view text, span<const Offset> offsets, span<answer> answers) const noexcept
    {
        const std::size_t count = answers.size();
        // The C function cannot know how long the text and the arrays are; here it is known, so it is checked. That
        // no offset decreases it sees itself: with the last one inside the text, all are.
        if (offsets.size() == 0 || offsets.size() - 1 != count || offsets.data()[count] > text.size()) {
            for (std::size_t i = 0; i < count; i++)
                answers.data()[i] = answer::disallowed;
            return ROBOTS_E_ARG;
        }
        // C wants a place even for no answers.
        std::uint8_t none = 0;
        std::uint8_t *out = count == 0 ? &none : reinterpret_cast<std::uint8_t *>(answers.data());
        return self().raw_batch(text.data(), offsets.data(), count, out);
    }
};

} // namespace detail

/// A robots.txt, compiled for one crawler. Immutable; a copy is another reference to the same rules, and any number of
/// threads may ask it. Empty when default-constructed or moved from.
class rules : public detail::asked<rules> {
public:
    rules() noexcept = default;
    rules(const rules &other) noexcept : handle_(robots_rules_retain(other.handle_)) {}
    rules(rules &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    rules &operator=(rules other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~rules() { robots_rules_free(handle_); }

    /// The rules of a site that may be fetched as a whole.
    [[nodiscard]] static rules allow_all()
    {
        rules made;
        detail::require(robots_rules_allow_all(&made.handle_));
        return made;
    }
    /// The rules of a site of which nothing may be fetched but its robots.txt.
    [[nodiscard]] static rules disallow_all()
    {
        rules made;
        detail::require(robots_rules_disallow_all(&made.handle_));
        return made;
    }
    /// Rules from an image, which is validated and copied. Throws robots::error for a damaged one.
    [[nodiscard]] static rules from_image(std::string_view image)
    {
        rules made;
        detail::require(robots_rules_from_image(image.data(), image.size(), &made.handle_));
        return made;
    }
    /// The same; `out` is empty after an error.
    [[nodiscard]] static robots_status try_from_image(std::string_view image, rules &out) noexcept
    {
        rules made;
        const robots_status status = robots_rules_from_image(image.data(), image.size(), &made.handle_);
        out = std::move(made);
        return status;
    }
    /// Rules that the C functions made: takes the reference over.
    [[nodiscard]] static rules adopt(robots_rules *handle) noexcept
    {
        rules made;
        made.handle_ = handle;
        return made;
    }

    /// The compiled rules as octets, to be stored or sent; they live as long as any copy of these rules.
    [[nodiscard]] std::string_view image() const noexcept { return detail::view(robots_rules_image(handle_)); }

    /// For the C functions; stays with this object.
    [[nodiscard]] const robots_rules *get() const noexcept { return handle_; }
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    friend class detail::asked<rules>;
    friend class crawler;

    robots_verdict raw_check(const char *url, std::size_t len) const noexcept
    {
        return robots_rules_check(handle_, url, len);
    }
    robots_status raw_batch(const char *text, const std::uint32_t *offsets, std::size_t count,
                            std::uint8_t *out) const noexcept
    {
        return robots_rules_check_batch(handle_, text, offsets, count, out);
    }
    robots_status raw_batch(const char *text, const std::uint64_t *offsets, std::size_t count,
                            std::uint8_t *out) const noexcept
    {
        return robots_rules_check_batch64(handle_, text, offsets, count, out);
    }
    double raw_crawl_delay() const noexcept { return robots_rules_crawl_delay(handle_); }
    std::size_t raw_sitemap_count() const noexcept { return robots_rules_sitemap_count(handle_); }
    robots_str raw_sitemap(std::size_t index) const noexcept { return robots_rules_sitemap(handle_, index); }

    robots_rules *handle_ = nullptr;
};

/// An image in memory that somebody else holds (a mapped file, a row of a database), asked in place. Untrusted octets
/// do no harm: a damaged image answers with an error, or wrongly, no more.
class image_view : public detail::asked<image_view> {
public:
    constexpr explicit image_view(std::string_view octets) noexcept : octets_(octets) {}

    /// Looks at every offset once; throws robots::error for a damaged image.
    void validate() const { detail::require(try_validate()); }
    [[nodiscard]] robots_status try_validate() const noexcept
    {
        return robots_image_validate(octets_.data(), octets_.size());
    }

private:
    friend class detail::asked<image_view>;

    robots_verdict raw_check(const char *url, std::size_t len) const noexcept
    {
        return robots_image_check(octets_.data(), octets_.size(), url, len);
    }
    robots_status raw_batch(const char *text, const std::uint32_t *offsets, std::size_t count,
                            std::uint8_t *out) const noexcept
    {
        return robots_image_check_batch(octets_.data(), octets_.size(), text, offsets, count, out);
    }
    double raw_crawl_delay() const noexcept { return robots_image_crawl_delay(octets_.data(), octets_.size()); }
    std::size_t raw_sitemap_count() const noexcept
    {
        return robots_image_sitemap_count(octets_.data(), octets_.size());
    }
    robots_str raw_sitemap(std::size_t index) const noexcept
    {
        return robots_image_sitemap(octets_.data(), octets_.size(), index);
    }

    std::string_view octets_;
};

/// One diagnostic of a report; it lives as long as the report.
struct diagnostic {
    std::uint32_t code;          ///< 51 for what is shown as "R051"
    std::uint32_t severity;      ///< ROBOTS_LINT_NOTE and its like
    std::uint32_t line;          ///< counted from 1; 0: about the file as a whole
    std::uint32_t column;        ///< octets counted from 1
    std::uint32_t other_line;    ///< another line that has to do with it; 0: none
    std::size_t start, end;      ///< the octets of the file that it is about
    std::string_view message;    ///< what is the matter
    std::string_view suggestion; ///< what to do; perhaps empty
};

/// One line of a robots.txt and what it means; it lives as long as the report.
struct meaning {
    std::uint32_t kind;     ///< ROBOTS_LINE_BLANK and its like
    std::uint32_t group;    ///< counted from 1; 0: none
    std::size_t start, end; ///< its octets in the file
    std::string_view field, value;
};

/// What is wrong with a robots.txt, and what each of its lines means. Move-only; made by crawler::lint.
class lint_report {
public:
    /// How many diagnostics there are; of each kind the first 100 are kept.
    [[nodiscard]] std::size_t size() const noexcept { return robots_lint_report_count(handle_.get()); }
    /// One of them, in the order of the file. Throws robots::error past the last.
    [[nodiscard]] diagnostic operator[](std::size_t index) const
    {
        robots_lint_diagnostic found{};
        found.size = sizeof found;
        detail::require(robots_lint_report_get(handle_.get(), index, &found));
        return {found.code,       found.severity, found.line, found.column,
                found.other_line, found.start,    found.end,  detail::view(found.message),
                detail::view(found.suggestion)};
    }
    /// How many there are of a severity, also those that were not kept.
    [[nodiscard]] std::uint64_t total(std::uint32_t severity) const noexcept
    {
        return robots_lint_report_total(handle_.get(), severity);
    }
    /// How many lines were read.
    [[nodiscard]] std::size_t line_count() const noexcept { return robots_lint_report_line_count(handle_.get()); }
    /// A line; the first is 1. Throws robots::error for one that is not there.
    [[nodiscard]] meaning line(std::size_t number) const
    {
        robots_lint_line line{};
        line.size = sizeof line;
        detail::require(robots_lint_report_line(handle_.get(), number, &line));
        return {line.kind, line.group, line.start, line.end, detail::view(line.field), detail::view(line.value)};
    }
    /// The report as text, in the manner of compilers.
    [[nodiscard]] std::string_view text() const noexcept { return detail::view(robots_lint_report_text(handle_.get())); }
    /// What a kind of diagnostic is, in a few words; empty for a number that is no kind.
    [[nodiscard]] static std::string_view title(std::uint32_t code) noexcept { return detail::view(robots_lint_title(code)); }
    /// What it means and what to do.
    [[nodiscard]] static std::string_view explanation(std::uint32_t code) noexcept
    {
        return detail::view(robots_lint_explanation(code));
    }

private:
    friend class crawler;

    struct free {
        void operator()(robots_lint_report *handle) const noexcept { robots_lint_report_free(handle); }
    };
    explicit lint_report(robots_lint_report *made) noexcept : handle_(made) {}

    std::unique_ptr<robots_lint_report, free> handle_;
};

namespace detail {

/// Owns a handle that `Free` ends.
template <class Handle, void (*Free)(Handle *)>
struct ends {
    void operator()(Handle *handle) const noexcept { Free(handle); }
};
template <class Handle, void (*Free)(Handle *)>
using owned = std::unique_ptr<Handle, ends<Handle, Free>>;

/// What `get` fills for an element of a list. Throws robots::error past the last.
template <class Element, class Handle>
Element element(robots_status (*get)(const Handle *, std::size_t, Element *), const Handle *list, std::size_t index)
{
    Element filled{};
    filled.size = sizeof filled;
    require(get(list, index, &filled));
    return filled;
}

} // namespace detail

/// Why a URL may be fetched or not. Move-only. Made by crawler::explain.
class explanation {
public:
    /// A user-agent line.
    struct line {
        std::string_view text; ///< as written, without comment
        std::uint32_t number;  ///< the first is 1
    };
    /// A rule that matches.
    struct rule {
        std::string_view text;    ///< the line as written, without comment
        std::string_view path;    ///< the path in it
        std::string_view pattern; ///< the path as compared; its length is what counts
        std::uint32_t line;       ///< the first is 1
        bool allow;
        robots::result result;
    };

    explanation() noexcept = default;

    [[nodiscard]] robots::verdict verdict() const noexcept
    {
        return robots::verdict(robots_explanation_verdict(handle_.get()));
    }
    /// What a dialect decides on the same file and URL.
    [[nodiscard]] robots::verdict verdict_in(dialect which) const noexcept
    {
        return robots::verdict(robots_explanation_other(handle_.get(), static_cast<std::uint32_t>(which)));
    }
    /// Path and query as they were compared.
    [[nodiscard]] std::string_view path() const noexcept { return detail::view(robots_explanation_path(handle_.get())); }
    /// The product token that the groups obeyed name, "*", or nothing.
    [[nodiscard]] std::string_view token() const noexcept
    {
        return detail::view(robots_explanation_token(handle_.get()));
    }
    /// The user-agent lines that name the crawler.
    [[nodiscard]] std::size_t agent_count() const noexcept { return robots_explanation_agent_count(handle_.get()); }
    /// Throws robots::error past the last.
    [[nodiscard]] line agent(std::size_t index) const
    {
        const auto one = detail::element(robots_explanation_agent, handle_.get(), index);
        return {detail::view(one.text), one.line};
    }
    /// The rules that match, the strongest first.
    [[nodiscard]] std::size_t rule_count() const noexcept { return robots_explanation_rule_count(handle_.get()); }
    /// Throws robots::error past the last.
    [[nodiscard]] rule matched(std::size_t index) const
    {
        const auto one = detail::element(robots_explanation_rule, handle_.get(), index);
        return {detail::view(one.text), detail::view(one.path),          detail::view(one.pattern),
                one.line,               one.allow != 0, static_cast<robots::result>(one.result)};
    }
    /// All of it as lines for a terminal.
    [[nodiscard]] std::string_view text() const noexcept { return detail::view(robots_explanation_text(handle_.get())); }

    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    friend class crawler;
    detail::owned<robots_explanation, robots_explanation_free> handle_;
};

/// What may be done with what was fetched: each label of each vocabulary once. Move-only.
class preferences {
public:
    struct preference {
        std::string_view label;
        robots::vocabulary vocabulary;
        robots::choice choice;
        std::uint32_t line; ///< the first is 1; 0 for a header field
    };

    preferences() noexcept = default;

    /// Those of the `Content-Usage` header field of a response.
    [[nodiscard]] static preferences from_header(std::string_view value)
    {
        robots_preferences *made = nullptr;
        detail::require(robots_preferences_from_header(value.data(), value.size(), &made));
        return preferences(made);
    }

    [[nodiscard]] std::size_t size() const noexcept { return robots_preferences_count(handle_.get()); }
    /// By vocabulary, then by label. Throws robots::error past the last.
    [[nodiscard]] preference operator[](std::size_t index) const
    {
        const auto one = detail::element(robots_preferences_get, handle_.get(), index);
        return {detail::view(one.label), static_cast<robots::vocabulary>(one.vocabulary),
                static_cast<robots::choice>(one.choice), one.line};
    }

private:
    friend class extensions;
    explicit preferences(robots_preferences *made) noexcept : handle_(made) {}

    detail::owned<robots_preferences, robots_preferences_free> handle_;
};

/// The lines of a robots.txt without effect on a verdict. Move-only. Made by crawler::extensions.
class extensions {
public:
    struct line {
        extension_field field;
        std::string_view value;
        std::uint32_t number;   ///< the first is 1
        bool in_group;          ///< of a group obeyed; if not, of no group
        std::uint32_t requests; ///< a request-rate: so many, 0 for another line and for nonsense,
        std::uint32_t seconds;  ///< in so many seconds
        std::uint32_t from;     ///< from so many minutes after midnight UTC on
        std::uint32_t until;    ///< until so many; 0: no time was given
    };

    extensions() noexcept = default;

    [[nodiscard]] std::size_t size() const noexcept { return robots_extensions_count(handle_.get()); }
    /// In the order of the file. Throws robots::error past the last.
    [[nodiscard]] line operator[](std::size_t index) const
    {
        const auto one = detail::element(robots_extensions_line, handle_.get(), index);
        return {static_cast<extension_field>(one.field), detail::view(one.value), one.line, one.in_group != 0,
                one.requests, one.seconds, one.from, one.until};
    }
    /// What the file prefers about a URL. Throws robots::error for what is no URL.
    [[nodiscard]] robots::preferences preferences(std::string_view url) const
    {
        robots_preferences *made = nullptr;
        detail::require(robots_extensions_preferences(handle_.get(), url.data(), url.size(), &made));
        return robots::preferences(made);
    }

private:
    friend class crawler;
    detail::owned<robots_extensions, robots_extensions_free> handle_;
};

/// Who crawls: product tokens, dialect, limits. Set it up in one thread; then parse with it from any number.
/// Move-only.
class crawler {
public:
    /// `token`: the bare product token, such as "ExampleBot". Throws robots::error for what is none.
    explicit crawler(std::string_view token)
    {
        robots_crawler *made = nullptr;
        detail::require(robots_crawler_new(token.data(), token.size(), &made));
        handle_.reset(made);
    }

    /// The same without exceptions: nothing for what is no token.
    [[nodiscard]] static std::optional<crawler> try_make(std::string_view token) noexcept
    {
        robots_crawler *made = nullptr;
        if (robots_crawler_new(token.data(), token.size(), &made) != ROBOTS_OK)
            return std::nullopt;
        return crawler(made);
    }

    /// A crawler of a well-known name, such as "Googlebot-Image", set up after what its operator has published, as far
    /// as that is known. Throws robots::error for one that is not known.
    [[nodiscard]] static crawler preset(std::string_view name)
    {
        robots_crawler *made = nullptr;
        detail::require(robots_crawler_preset(name.data(), name.size(), &made));
        return crawler(made);
    }

    /// A further token, which counts where no group names an earlier one.
    crawler &add_token(std::string_view token)
    {
        detail::require(robots_crawler_add_token(handle_.get(), token.data(), token.size()));
        return *this;
    }
    /// Any option (`ROBOTS_OPT_...`).
    crawler &set(std::uint32_t option, std::uint64_t value)
    {
        detail::require(robots_crawler_set(handle_.get(), option, value));
        return *this;
    }
    crawler &dialect(robots::dialect which) { return set(ROBOTS_OPT_DIALECT, static_cast<std::uint64_t>(which)); }
    crawler &max_bytes(std::uint64_t octets) { return set(ROBOTS_OPT_MAX_BYTES, octets); }
    crawler &ignore_star(bool on) { return set(ROBOTS_OPT_IGNORE_STAR, on ? 1 : 0); }
    crawler &merge_tokens(bool on) { return set(ROBOTS_OPT_MERGE_TOKENS, on ? 1 : 0); }
    crawler &crawl_delay_ends_agents(bool on) { return set(ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS, on ? 1 : 0); }

    /// Compiles a robots.txt. What the file holds is never an error.
    [[nodiscard]] rules parse(std::string_view body) const
    {
        rules made;
        detail::require(try_parse(body, made));
        return made;
    }
    /// The same; `out` is empty after an error.
    [[nodiscard]] robots_status try_parse(std::string_view body, rules &out) const noexcept
    {
        rules made;
        const robots_status status = robots_rules_parse(handle_.get(), body.data(), body.size(), &made.handle_);
        out = std::move(made);
        return status;
    }

    /// What is wrong with a robots.txt, for its writer; see robots::lint_report.
    [[nodiscard]] lint_report lint(std::string_view body) const
    {
        robots_lint_report *made = nullptr;
        detail::require(robots_lint(handle_.get(), body.data(), body.size(), &made));
        return lint_report(made);
    }
    /// Explains what rules::check decides on a file and a URL. Throws robots::error for what is no URL.
    [[nodiscard]] explanation explain(std::string_view body, std::string_view url) const
    {
        robots_explanation *made = nullptr;
        detail::require(
            robots_rules_explain(handle_.get(), body.data(), body.size(), url.data(), url.size(), &made));
        explanation why;
        why.handle_.reset(made);
        return why;
    }
    /// Reads what else stands in a file. What the file holds is never an error.
    [[nodiscard]] robots::extensions extensions(std::string_view body) const
    {
        robots_extensions *made = nullptr;
        detail::require(robots_extensions_parse(handle_.get(), body.data(), body.size(), &made));
        robots::extensions read;
        read.handle_.reset(made);
        return read;
    }

    /// For the C functions, which set it up without exceptions; stays with this object.
    [[nodiscard]] const robots_crawler *get() const noexcept { return handle_.get(); }
    [[nodiscard]] robots_crawler *get() noexcept { return handle_.get(); }

private:
    struct free {
        void operator()(robots_crawler *handle) const noexcept { robots_crawler_free(handle); }
    };
    explicit crawler(robots_crawler *made) noexcept : handle_(made) {}

    std::unique_ptr<robots_crawler, free> handle_;
};

/// What is to be done with a site.
enum class outcome_kind : std::uint8_t {
    rules = ROBOTS_OUTCOME_RULES,
    allow_all = ROBOTS_OUTCOME_ALLOW_ALL,
    disallow_all = ROBOTS_OUTCOME_DISALLOW_ALL,
    defer = ROBOTS_OUTCOME_DEFER
};

/// What a fetch waits for.
enum class step : std::uint32_t {
    get = ROBOTS_STEP_GET,
    headers = ROBOTS_STEP_HEADERS,
    body = ROBOTS_STEP_BODY,
    done = ROBOTS_STEP_DONE
};

/// Why there is no response, or not all of one.
enum class failure : std::uint32_t {
    dns = ROBOTS_FAILURE_DNS,
    connect = ROBOTS_FAILURE_CONNECT,
    tls = ROBOTS_FAILURE_TLS,
    timeout = ROBOTS_FAILURE_TIMEOUT,
    reset = ROBOTS_FAILURE_RESET,
    truncated = ROBOTS_FAILURE_TRUNCATED,
    other = ROBOTS_FAILURE_OTHER
};

/// The site that a URL belongs to. Move-only.
class origin {
public:
    /// Throws robots::error for what is no http, https or ftp URL.
    explicit origin(std::string_view url)
    {
        robots_origin *made = nullptr;
        detail::require(robots_origin_new(url.data(), url.size(), &made));
        handle_.reset(made);
    }
    /// The same without exceptions: nothing for what is no such URL.
    [[nodiscard]] static std::optional<origin> try_of(std::string_view url) noexcept
    {
        robots_origin *made = nullptr;
        if (robots_origin_new(url.data(), url.size(), &made) != ROBOTS_OK)
            return std::nullopt;
        return origin(made);
    }

    /// Such as "https://example.com". Lives as long as this object, as does the next.
    [[nodiscard]] std::string_view key() const noexcept { return detail::view(robots_origin_key(handle_.get())); }
    [[nodiscard]] std::string_view robots_url() const noexcept
    {
        return detail::view(robots_origin_robots_url(handle_.get()));
    }
    /// Whether a URL is of this site.
    [[nodiscard]] bool governs(std::string_view url) const noexcept
    {
        return robots_origin_governs(handle_.get(), url.data(), url.size()) != 0;
    }

    /// For the C functions; stays with this object.
    [[nodiscard]] const robots_origin *get() const noexcept { return handle_.get(); }

private:
    struct free {
        void operator()(robots_origin *handle) const noexcept { robots_origin_free(handle); }
    };
    explicit origin(robots_origin *made) noexcept : handle_(made) {}

    std::unique_ptr<robots_origin, free> handle_;
};

/// What came of fetching a robots.txt. Immutable; a copy is another reference to the same, and any number of threads
/// may ask it. Empty, which defers all, when default-constructed or moved from. Times are seconds since 1970.
class outcome {
public:
    outcome() noexcept = default;
    outcome(const outcome &other) noexcept : handle_(robots_outcome_retain(other.handle_)) {}
    outcome(outcome &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    outcome &operator=(outcome other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~outcome() { robots_outcome_free(handle_); }

    /// Of a response that is known as a whole.
    [[nodiscard]] static outcome from_status(const crawler &who, std::string_view url, std::uint32_t status,
                                           std::string_view body, std::uint64_t now)
    {
        outcome made;
        detail::require(robots_outcome_from_status(who.get(), url.data(), url.size(), status, body.data(), body.size(),
                                                 now, &made.handle_));
        return made;
    }
    /// From what encode() gave, for the same crawlers in the same order. Throws robots::error for a damaged record.
    [[nodiscard]] static outcome decode(span<const robots_crawler *> crawlers, std::string_view record)
    {
        outcome made;
        detail::require(robots_outcome_decode(crawlers.data(), crawlers.size(), record.data(), record.size(),
                                              &made.handle_));
        return made;
    }
    /// An outcome that the C functions made: takes the reference over.
    [[nodiscard]] static outcome adopt(robots_outcome *handle) noexcept
    {
        outcome made;
        made.handle_ = handle;
        return made;
    }

    [[nodiscard]] outcome_kind kind() const noexcept { return static_cast<outcome_kind>(get(ROBOTS_OUTCOME_KIND)); }
    [[nodiscard]] bool stale() const noexcept { return get(ROBOTS_OUTCOME_STALE) != 0; }
    [[nodiscard]] std::uint64_t fresh_until() const noexcept { return get(ROBOTS_OUTCOME_FRESH_UNTIL); }
    [[nodiscard]] std::uint64_t usable_until() const noexcept { return get(ROBOTS_OUTCOME_USABLE_UNTIL); }
    [[nodiscard]] std::uint64_t retry_at() const noexcept { return get(ROBOTS_OUTCOME_RETRY_AT); }
    /// Any number (`ROBOTS_OUTCOME_...`).
    [[nodiscard]] std::uint64_t get(std::uint32_t what) const noexcept { return robots_outcome_get(handle_, what); }
    /// Any text (`ROBOTS_OUTCOME_...`); lives as long as any copy of this outcome.
    [[nodiscard]] std::string_view text(std::uint32_t what) const noexcept
    {
        return detail::view(robots_outcome_text(handle_, what));
    }

    /// The rules for one of the crawlers, by its place; empty past the last. They know neither site nor time.
    [[nodiscard]] robots::rules rules(std::size_t crawler = 0) const noexcept
    {
        return robots::rules::adopt(robots_rules_retain(robots_outcome_rules(handle_, crawler)));
    }
    /// Decides on a URL of the site at a time; an error is in the verdict, which then allows nothing.
    [[nodiscard]] verdict try_check(std::string_view url, std::uint64_t now, std::size_t crawler = 0) const noexcept
    {
        return verdict(robots_outcome_check(handle_, crawler, url.data(), url.size(), now));
    }
    [[nodiscard]] bool allowed(std::string_view url, std::uint64_t now, std::size_t crawler = 0) const noexcept
    {
        return try_check(url, now, crawler).allowed();
    }
    /// The outcome as octets, to be stored or sent; they live as long as any copy of this outcome.
    [[nodiscard]] std::string_view encode() const
    {
        robots_str record = {nullptr, 0};
        detail::require(robots_outcome_encode(handle_, &record));
        return detail::view(record);
    }

    /// For the C functions; stays with this object.
    [[nodiscard]] const robots_outcome *get() const noexcept { return handle_; }
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    robots_outcome *handle_ = nullptr;
};

/// One retrieval of a robots.txt, without I/O: says what it waits for, is told what the HTTP client sees. An event out
/// of turn throws robots::error, and changes nothing. Move-only; one thread at a time.
class fetch {
public:
    /// `url`: any URL of the site. Throws robots::error for what has no robots.txt.
    fetch(const crawler &who, std::string_view url, std::uint64_t now)
    {
        robots_fetch *made = nullptr;
        detail::require(robots_fetch_new(who.get(), url.data(), url.size(), now, &made));
        handle_.reset(made);
    }
    /// A fetch that the C functions made: takes it over.
    [[nodiscard]] static fetch adopt(robots_fetch *handle) noexcept { return fetch(handle); }

    /// To be called before the first event, in this order.
    fetch &add_crawler(const crawler &who) { return told(robots_fetch_add_crawler(handle_.get(), who.get())); }
    fetch &set_previous(const outcome &previous) { return told(robots_fetch_set_previous(handle_.get(), previous.get())); }
    /// An option (`ROBOTS_OPT_MAX_REDIRECTS` and its like) for this fetch alone.
    fetch &set(std::uint32_t option, std::uint64_t value)
    {
        return told(robots_fetch_set(handle_.get(), option, value));
    }

    [[nodiscard]] robots::step step() const noexcept
    {
        return static_cast<robots::step>(robots_fetch_step(handle_.get()));
    }
    /// What to get, and the headers to send. They live until the next event.
    [[nodiscard]] std::string_view url() const noexcept { return detail::view(robots_fetch_url(handle_.get())); }
    [[nodiscard]] std::size_t request_header_count() const noexcept
    {
        return robots_fetch_request_header_count(handle_.get());
    }
    [[nodiscard]] std::pair<std::string_view, std::string_view> request_header(std::size_t index) const noexcept
    {
        return {detail::view(robots_fetch_request_header_name(handle_.get(), index)),
                detail::view(robots_fetch_request_header_value(handle_.get(), index))};
    }

    fetch &status(std::uint32_t number, std::uint64_t now)
    {
        return told(robots_fetch_status(handle_.get(), number, now));
    }
    fetch &header(std::string_view name, std::string_view value)
    {
        return told(robots_fetch_header(handle_.get(), name.data(), name.size(), value.data(), value.size()));
    }
    fetch &headers_end() { return told(robots_fetch_headers_end(handle_.get())); }
    fetch &body(std::string_view piece) { return told(robots_fetch_body(handle_.get(), piece.data(), piece.size())); }
    fetch &end() { return told(robots_fetch_end(handle_.get())); }
    fetch &fail(failure why, std::uint64_t now)
    {
        return told(robots_fetch_fail(handle_.get(), static_cast<std::uint32_t>(why), now));
    }

    /// What came of it; throws robots::error until it is done.
    [[nodiscard]] robots::outcome outcome() const
    {
        robots_outcome *made = nullptr;
        detail::require(robots_fetch_outcome(handle_.get(), &made));
        return robots::outcome::adopt(made);
    }

    /// For the C functions, which tell it events without exceptions; stays with this object.
    [[nodiscard]] robots_fetch *get() noexcept { return handle_.get(); }

private:
    struct free {
        void operator()(robots_fetch *handle) const noexcept { robots_fetch_free(handle); }
    };
    explicit fetch(robots_fetch *made) noexcept : handle_(made) {}
    fetch &told(robots_status status)
    {
        detail::require(status);
        return *this;
    }

    std::unique_ptr<robots_fetch, free> handle_;
};

/// The one permission to fetch an origin's robots.txt. Given back when it ends; move-only.
class ticket {
public:
    ticket() noexcept = default;

    /// The key of the origin, such as "https://example.com"; lives until finish() or the end of the ticket.
    [[nodiscard]] std::string_view origin() const noexcept { return detail::view(robots_ticket_origin(handle_.get())); }
    /// Begins the retrieval, for all crawlers of the cache. The ticket is not needed for it, but to finish.
    [[nodiscard]] robots::fetch fetch(std::uint64_t now) const
    {
        robots_fetch *made = nullptr;
        detail::require(robots_ticket_fetch(handle_.get(), now, &made));
        return robots::fetch::adopt(made);
    }
    /// Hands the outcome in, once. Throws robots::error for that of another site, or one that does not fit.
    void finish(const outcome &found, std::uint64_t now) { detail::require(try_finish(found, now)); }
    /// The same; returns the status.
    [[nodiscard]] robots_status try_finish(const outcome &found, std::uint64_t now) noexcept
    {
        return robots_ticket_finish(handle_.get(), found.get(), now);
    }

    /// Takes a ticket of the C functions over.
    [[nodiscard]] static ticket adopt(robots_ticket *handle) noexcept
    {
        ticket made;
        made.handle_.reset(handle);
        return made;
    }
    [[nodiscard]] const robots_ticket *get() const noexcept { return handle_.get(); }
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    struct free {
        void operator()(robots_ticket *handle) const noexcept { robots_ticket_free(handle); }
    };

    std::unique_ptr<robots_ticket, free> handle_;
};

/// What is to be done with a URL.
enum class action : std::uint32_t {
    decided = ROBOTS_CACHE_DECIDED,
    fetch = ROBOTS_CACHE_FETCH,
    wait = ROBOTS_CACHE_WAIT,
    defer = ROBOTS_CACHE_DEFER
};

/// The answer of a cache. Move-only, as its ticket is.
struct cache_answer {
    /// Allowed only where the cache decided so; an error is in it.
    robots::verdict verdict;
    robots::action action = robots::action::decided;
    /// Of wait and defer: when to ask again, in seconds since 1970-01-01 UTC.
    std::uint64_t until = 0;
    /// Always one with action::fetch, at times with action::decided, else none.
    robots::ticket ticket;
};

/// The records of a cache, see cache::records. Move-only.
class cache_cursor {
public:
    /// The next record for cache::import; empty when there are no more. Lives until the next call.
    [[nodiscard]] std::string_view next() noexcept { return detail::view(robots_cache_cursor_next(handle_.get())); }

private:
    friend class cache;
    struct free {
        void operator()(robots_cache_cursor *handle) const noexcept { robots_cache_cursor_free(handle); }
    };
    explicit cache_cursor(robots_cache_cursor *made) noexcept : handle_(made) {}

    std::unique_ptr<robots_cache_cursor, free> handle_;
};

/// What is known of many sites, in a bounded piece of memory. A copy is another reference to the same cache, and any
/// number of threads may ask it. Empty when moved from.
class cache {
public:
    /// A cache for a crawler, which is copied, of at most `max_bytes` octets.
    cache(const crawler &who, std::size_t max_bytes)
    {
        detail::require(robots_cache_new(who.get(), max_bytes, &handle_));
    }
    cache(const cache &other) noexcept : handle_(robots_cache_retain(other.handle_)) {}
    cache(cache &&other) noexcept : handle_(std::exchange(other.handle_, nullptr)) {}
    cache &operator=(cache other) noexcept
    {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~cache() { robots_cache_free(handle_); }

    /// A further crawler, whose index is the next; before the cache is used or copied.
    cache &add_crawler(const crawler &who)
    {
        detail::require(robots_cache_add_crawler(handle_, who.get()));
        return *this;
    }
    /// How many seconds a ticket lives; before the cache is used or copied.
    cache &ticket_ttl(std::uint64_t seconds)
    {
        detail::require(robots_cache_set(handle_, ROBOTS_CACHE_OPT_TICKET_TTL, seconds));
        return *this;
    }

    /// What a crawler is to do with an absolute URL at `now`, in seconds since 1970-01-01 UTC.
    [[nodiscard]] cache_answer check(std::string_view url, std::uint64_t now, std::uint32_t who = 0) const noexcept
    {
        robots_cache_answer raw = {};
        raw.size = sizeof raw;
        cache_answer answer;
        answer.verdict = robots::verdict(robots_cache_check(handle_, who, url.data(), url.size(), now, &raw));
        answer.action = static_cast<robots::action>(raw.action);
        answer.until = raw.until;
        answer.ticket = ticket::adopt(raw.ticket);
        return answer;
    }

    /// What is known of the site of a URL, false where nothing is: for its crawl-delay, sitemaps or times. Throws
    /// robots::error for what is no URL of a site.
    [[nodiscard]] robots::outcome outcome(std::string_view url) const
    {
        robots_outcome *known = nullptr;
        detail::require(robots_cache_outcome(handle_, url.data(), url.size(), &known));
        return robots::outcome::adopt(known);
    }
    /// Forgets the site of a URL. Throws robots::error for what is no URL of a site.
    void remove(std::string_view url) const { detail::require(robots_cache_remove(handle_, url.data(), url.size())); }
    void clear() const noexcept { robots_cache_clear(handle_); }
    [[nodiscard]] std::size_t bytes() const noexcept { return robots_cache_bytes(handle_); }
    [[nodiscard]] std::size_t count() const noexcept { return robots_cache_count(handle_); }

    /// All that is kept, one record a site.
    [[nodiscard]] cache_cursor records() const
    {
        robots_cache_cursor *made = nullptr;
        detail::require(robots_cache_cursor_new(handle_, &made));
        return cache_cursor(made);
    }
    /// Takes a record over; returns the status, so that the rest goes on after a damaged one.
    [[nodiscard]] robots_status try_import(std::string_view record) const noexcept
    {
        return robots_cache_import(handle_, record.data(), record.size());
    }

    /// For the C functions; stays with this object.
    [[nodiscard]] const robots_cache *get() const noexcept { return handle_; }
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    robots_cache *handle_ = nullptr;
};

/// The version of the library in use, such as "0.1.0".
[[nodiscard]] inline std::string_view version() noexcept { return robots_version(); }
/// The same as a number, to be compared with ROBOTS_VERSION_NUMBER, that of the headers.
[[nodiscard]] inline std::uint32_t version_number() noexcept { return robots_version_number(); }

} // namespace robots

#endif
