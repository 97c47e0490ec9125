/*
 * librobots for C++17: types that own the handles of librobots.h and librobots_tools.h.
 *
 *     robots::crawler crawler("ExampleBot");
 *     robots::rules rules = crawler.parse(body);             // any bytes; keep it, share it
 *     if (rules.allowed("https://example.com/page")) ...     // any thread; no lock
 *     robots::verdict why = rules.check("https://example.com/page");
 *
 * Conventions:
 * - Strings that are passed in are std::string_view, any bytes; the library does not keep them. A std::string_view that a
 *   function returns refers to the object, and is valid as long as the object.
 * - A failure throws robots::error, the only exception; an index out of range has the status ROBOTS_END. Important
 *   functions have a noexcept version, try_..., which returns a status, or a verdict with a status. Without exceptions
 *   (-fno-exceptions) a failure aborts the program; use try_...
 * - A moved-from object is empty. Its functions throw or return ROBOTS_E_ARG. Misuse never permits a fetch.
 * - Many threads may call const members of one object at the same time.
 * - The include guard is the only macro. librobots.h and librobots_tools.h describe each function.
 */
#ifndef LIBROBOTS_HPP
#define LIBROBOTS_HPP

#if __cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L)
#error "librobots.hpp needs C++17: compile with -std=c++17 or newer, or include librobots.h, for which C++11 will do"
#endif

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include <librobots_tools.h>

namespace robots {

/// An error: its number (`ROBOTS_E_...`) and a sentence that says what to do.
class error : public std::runtime_error {
public:
    explicit error(robots_status status) : error(status, robots_status_text(status)) {}
    error(robots_status status, const std::string &text) : std::runtime_error(text), status_(status) {}

    [[nodiscard]] robots_status status() const noexcept { return status_; }

private:
    robots_status status_;
};

/// The dialect of the protocol.
enum class dialect : std::uint32_t {
    rfc9309 = ROBOTS_DIALECT_RFC9309,
    google = ROBOTS_DIALECT_GOOGLE,
    koster1996 = ROBOTS_DIALECT_KOSTER1996
};

/// The reason of a verdict. Later versions may add reasons.
enum class reason : std::uint8_t {
    none = ROBOTS_REASON_NONE,
    rule_allowed = ROBOTS_REASON_RULE_ALLOWED,
    rule_disallowed = ROBOTS_REASON_RULE_DISALLOWED,
    no_rule = ROBOTS_REASON_NO_RULE,
    no_group = ROBOTS_REASON_NO_GROUP,
    robots_txt = ROBOTS_REASON_ROBOTS_TXT,
    allow_all = ROBOTS_REASON_ALLOW_ALL,
    disallow_all = ROBOTS_REASON_DISALLOW_ALL,
    defer = ROBOTS_REASON_DEFER,
    unreachable = ROBOTS_REASON_UNREACHABLE
};

/// Returns one sentence that says what a reason means and whether to drop or keep the URL.
[[nodiscard]] inline std::string_view reason_text(reason why) noexcept
{
    return robots_reason_text(static_cast<std::uint32_t>(why));
}

/// One result of a batch.
enum class answer : std::uint8_t {
    disallowed = ROBOTS_DISALLOWED,
    allowed = ROBOTS_ALLOWED,
    bad_url = ROBOTS_BAD_URL
};

/// The match result of a rule that matches. Later versions may add results.
enum class result : std::uint32_t {
    won = ROBOTS_MATCH_WON,
    shorter = ROBOTS_MATCH_SHORTER,
    tie_lost_to_allow = ROBOTS_MATCH_TIE_LOST_TO_ALLOW,
    later_equal = ROBOTS_MATCH_LATER_EQUAL,
    after_first_match = ROBOTS_MATCH_AFTER_FIRST_MATCH,
    empty = ROBOTS_MATCH_EMPTY
};

/// The result of a search for a difference.
enum class difference_result : std::uint32_t {
    not_decided = ROBOTS_DIFFERENCE_NOT_DECIDED,
    none = ROBOTS_DIFFERENCE_NONE,
    found = ROBOTS_DIFFERENCE_FOUND
};

/// The field of an extension line. Later versions may add fields.
enum class extension_field : std::uint32_t {
    request_rate = ROBOTS_EXTENSION_REQUEST_RATE,
    visit_time = ROBOTS_EXTENSION_VISIT_TIME,
    host = ROBOTS_EXTENSION_HOST,
    clean_param = ROBOTS_EXTENSION_CLEAN_PARAM,
    noindex = ROBOTS_EXTENSION_NOINDEX,
    content_signal = ROBOTS_EXTENSION_CONTENT_SIGNAL,
    content_usage = ROBOTS_EXTENSION_CONTENT_USAGE,
    license = ROBOTS_EXTENSION_LICENSE
};

/// The vocabulary of a preference's label. Later versions may add vocabularies.
enum class vocabulary : std::uint32_t {
    content_usage = ROBOTS_VOCABULARY_CONTENT_USAGE,
    content_signal = ROBOTS_VOCABULARY_CONTENT_SIGNAL
};

/// A preference; `unknown` if none is stated.
enum class choice : std::uint32_t { no = ROBOTS_CHOICE_NO, yes = ROBOTS_CHOICE_YES, unknown = ROBOTS_CHOICE_UNKNOWN };

/// Borrowed elements: a pointer and a count, or a container with data() and size(), such as std::vector or std::array.
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

/// The verdict on one URL, as cheap to copy as a number.
class verdict {
public:
    /// Creates a verdict with the error ROBOTS_E_ARG, which allows nothing.
    constexpr verdict() noexcept = default;
    constexpr explicit verdict(robots_verdict raw) noexcept : bits_(raw.bits) {}

    /// Returns whether the URL may be fetched; false on error.
    [[nodiscard]] constexpr bool allowed() const noexcept { return (bits_ & 1u) != 0; }
    [[nodiscard]] constexpr robots::reason reason() const noexcept
    {
        return static_cast<robots::reason>(bits_ >> 8 & 0xFFu);
    }
    /// Returns ROBOTS_OK or the error.
    [[nodiscard]] constexpr robots_status status() const noexcept
    {
        return static_cast<robots_status>(bits_ >> 16 & 0xFFFFu);
    }
    /// Returns the line of the deciding rule, from 1; 0 if no rule decided.
    [[nodiscard]] constexpr std::uint32_t line() const noexcept { return static_cast<std::uint32_t>(bits_ >> 32); }
    /// Returns the bits of the `robots_verdict`.
    [[nodiscard]] constexpr std::uint64_t bits() const noexcept { return bits_; }

    friend constexpr bool operator==(verdict a, verdict b) noexcept { return a.bits_ == b.bits_; }
    friend constexpr bool operator!=(verdict a, verdict b) noexcept { return a.bits_ != b.bits_; }

private:
    std::uint64_t bits_ = std::uint64_t{ROBOTS_E_ARG} << 16;
};

namespace detail {

[[noreturn]] inline void fail([[maybe_unused]] const error &why)
{
#if defined(__cpp_exceptions)
    throw why;
#else
    std::abort();
#endif
}
[[noreturn]] inline void fail(robots_status status) { fail(error(status)); }

inline void require(robots_status status)
{
    if (status != ROBOTS_OK)
        fail(status);
}

inline std::string_view view(robots_str text) noexcept { return {text.ptr, text.len}; }

/// As require(). If `token` is a User-Agent header, the error names the token in it, on one line.
inline void require_token(robots_status status, std::string_view token)
{
    robots_str found{};
    if (status == ROBOTS_E_TOKEN && robots_token_from_user_agent(token.data(), token.size(), &found) == ROBOTS_OK &&
        found.len < token.size()) {
        std::string shown(token.substr(0, 200));
        for (char &c : shown)
            if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
        fail(error(status, "`" + shown + (token.size() > 200 ? "...`" : "`") + " is a User-Agent header; its token is " +
                               std::string(view(found))));
    }
    require(status);
}

/// Owns a handle that `Free` frees.
template <class Handle, void (*Free)(Handle *)>
struct frees {
    void operator()(Handle *handle) const noexcept { Free(handle); }
};
template <class Handle, void (*Free)(Handle *)>
using owned = std::unique_ptr<Handle, frees<Handle, Free>>;

/// Returns an element of a list, which `get` fills. Throws robots::error for an index out of range (ROBOTS_END).
template <class Element, class Handle>
Element element(robots_status (*get)(const Handle *, std::size_t, Element *), const Handle *list, std::size_t index)
{
    Element filled{};
    filled.size = sizeof filled;
    require(get(list, index, &filled));
    return filled;
}

/// Returns the number of elements of a list: the index at which it ends. Makes one call for each element.
template <class Element, class Handle>
std::size_t length(robots_status (*get)(const Handle *, std::size_t, Element *), const Handle *list) noexcept
{
    Element filled{};
    filled.size = sizeof filled;
    std::size_t count = 0;
    while (get(list, count, &filled) == ROBOTS_OK)
        count++;
    return count;
}

/// Returns a struct that `get` fills; safe values after an error.
template <class Struct, class Handle>
Struct parts(robots_status (*get)(const Handle *, Struct *), const Handle *handle) noexcept
{
    Struct result{};
    result.size = sizeof result;
    static_cast<void>(get(handle, &result));
    return result;
}

/// The functions of both rules and images. `Source` maps its raw_... functions to the C API.
template <class Source>
class checks {
public:
    /// Checks one URL. Throws robots::error if it is not a URL, for an empty object and for a damaged image.
    /// A URL that clients read differently, such as `/a/../b`, is allowed only if each reading is (SPEC 8.11).
    [[nodiscard]] verdict check(std::string_view url) const
    {
        const verdict result = try_check(url);
        require(result.status());
        return result;
    }
    /// Checks one URL. A verdict with an error allows nothing.
    [[nodiscard]] verdict try_check(std::string_view url) const noexcept
    {
        return verdict(self().raw_check(url.data(), url.size()));
    }
    /// Returns whether a URL may be fetched; false on error.
    [[nodiscard]] bool allowed(std::string_view url) const noexcept { return try_check(url).allowed(); }

    /// Checks many URLs. URL i begins at `text[offsets[i]]` and ends before `text[offsets[i + 1]]`, as in Apache Arrow.
    /// There is one offset more than `answers`; without URLs there may be none. Throws robots::error if the sizes do not
    /// fit together, or if offsets decrease or exceed `text`.
    void check_batch(std::string_view text, span<const std::uint64_t> offsets, span<answer> answers) const
    {
        require(try_check_batch(text, offsets, answers));
    }
    /// Checks many URLs and returns the status. After an error every answer is answer::disallowed.
    [[nodiscard]] robots_status try_check_batch(std::string_view text, span<const std::uint64_t> offsets,
                                                span<answer> answers) const noexcept
    {
        const std::size_t count = answers.size();
        if (count == 0 && offsets.size() == 0)
            return self().raw_batch(nullptr, nullptr, 0, nullptr);
        // The C function does not know the size of the text. It checks that no offset decreases, so the last offset
        // suffices here.
        if (offsets.size() == 0 || offsets.size() - 1 != count || offsets.data()[count] > text.size()) {
            for (std::size_t i = 0; i < count; i++)
                answers.data()[i] = answer::disallowed;
            return ROBOTS_E_ARG;
        }
        return self().raw_batch(text.data(), offsets.data(), count, reinterpret_cast<std::uint8_t *>(answers.data()));
    }

    /// Returns the crawl-delay in seconds, if there is one.
    [[nodiscard]] std::optional<double> crawl_delay() const noexcept
    {
        const double seconds = self().raw_crawl_delay();
        return seconds == seconds ? std::optional<double>(seconds) : std::nullopt; // NaN: none
    }

    /// Returns one sitemap as written, from index 0; nothing after the last. Valid as long as this object, or for an
    /// image as long as its bytes.
    [[nodiscard]] std::optional<std::string_view> sitemap(std::size_t index) const noexcept
    {
        robots_str found = {nullptr, 0};
        if (self().raw_sitemap(index, &found) != ROBOTS_OK)
            return std::nullopt;
        return view(found);
    }
    /// Returns the verdict on every URL except /robots.txt, or nothing if the verdict depends on the URL.
    [[nodiscard]] std::optional<verdict> site_verdict() const noexcept
    {
        const robots_verdict found = self().raw_site_verdict();
        return found.bits != 0 ? std::optional<verdict>(verdict(found)) : std::nullopt;
    }

private:
    friend Source;
    checks() noexcept = default;
    [[nodiscard]] const Source &self() const noexcept { return static_cast<const Source &>(*this); }
};

} // namespace detail

class difference;

/// The rules of a robots.txt, compiled for one crawler. Immutable; a copy is another reference to the same rules. Any
/// number of threads may use one object. Empty if default-constructed or moved from.
class rules : public detail::checks<rules> {
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

    /// Creates rules that allow every URL.
    [[nodiscard]] static rules allow_all()
    {
        rules made;
        detail::require(robots_rules_site_wide(ROBOTS_ALLOWED, &made.handle_));
        return made;
    }
    /// Creates rules that disallow every URL except /robots.txt.
    [[nodiscard]] static rules disallow_all()
    {
        rules made;
        detail::require(robots_rules_site_wide(ROBOTS_DISALLOWED, &made.handle_));
        return made;
    }
    /// Creates rules from an image, which is validated and copied. Throws robots::error for a damaged one.
    [[nodiscard]] static rules from_image(std::string_view image)
    {
        rules made;
        detail::require(robots_rules_from_image(image.data(), image.size(), &made.handle_));
        return made;
    }
    /// Creates rules that borrow an image in constant time. The bytes must stay unchanged as long as any copy of these
    /// rules exists. Throws robots::error if the bytes have no valid header.
    [[nodiscard]] static rules borrow(std::string_view image)
    {
        rules made;
        detail::require(try_borrow(image, made));
        return made;
    }
    [[nodiscard]] static robots_status try_borrow(std::string_view image, rules &out) noexcept
    {
        rules made;
        const robots_status status = robots_rules_borrow_image(image.data(), image.size(), &made.handle_);
        std::swap(out.handle_, made.handle_);
        return status;
    }
    /// Creates rules from an image; `out` is empty after an error.
    [[nodiscard]] static robots_status try_from_image(std::string_view image, rules &out) noexcept
    {
        rules made;
        const robots_status status = robots_rules_from_image(image.data(), image.size(), &made.handle_);
        out = std::move(made);
        return status;
    }
    /// Takes ownership of a reference from the C functions.
    [[nodiscard]] static rules adopt(robots_rules *handle) noexcept
    {
        rules made;
        made.handle_ = handle;
        return made;
    }

    /// Returns a shortest path that these rules allow and `other` rules do not, or the reverse, or that there is none
    /// (SPEC 12). Throws robots::error for empty rules, for a damaged image and when out of memory.
    [[nodiscard]] robots::difference difference(const rules &other) const;

    /// Returns the compiled rules as bytes, to be stored or sent; valid as long as any copy of these rules.
    [[nodiscard]] std::string_view image() const noexcept { return detail::view(robots_rules_image(handle_)); }

    /// Returns the handle for the C functions; this object keeps it.
    [[nodiscard]] const robots_rules *get() const noexcept { return handle_; }
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    friend class detail::checks<rules>;
    friend class crawler;

    robots_verdict raw_check(const char *url, std::size_t len) const noexcept
    {
        return robots_rules_check(handle_, url, len);
    }
    robots_status raw_batch(const char *text, const std::uint64_t *offsets, std::size_t count,
                            std::uint8_t *out) const noexcept
    {
        return robots_rules_check_batch(handle_, text, offsets, count, out);
    }
    double raw_crawl_delay() const noexcept { return robots_rules_crawl_delay(handle_); }
    robots_status raw_sitemap(std::size_t index, robots_str *out) const noexcept
    {
        return robots_rules_sitemap(handle_, index, out);
    }
    robots_verdict raw_site_verdict() const noexcept { return robots_rules_site_verdict(handle_); }

    robots_rules *handle_ = nullptr;
};

/// A list of the rules that can decide, for code that shows or converts them. Move-only.
class rule_list {
public:
    struct rule {
        std::string_view pattern; ///< path in canonical form
        std::uint32_t line;       ///< number from 1; 0 for a site-wide rule that no line states
        bool allow;
    };

    /// Creates the list. Throws robots::error for empty rules, for a damaged image and when out of memory.
    explicit rule_list(const rules &of)
    {
        robots_rule_list *made = nullptr;
        detail::require(robots_rule_list_new(of.get(), &made));
        handle_.reset(made);
    }

    [[nodiscard]] std::size_t size() const noexcept { return detail::length(robots_rule_list_get, get()); }
    /// Returns one rule, in the order of the file. Throws robots::error for an index out of range.
    [[nodiscard]] rule operator[](std::size_t index) const
    {
        const auto one = detail::element(robots_rule_list_get, get(), index);
        return {detail::view(one.pattern), one.line, one.allow != 0};
    }

private:
    [[nodiscard]] const robots_rule_list *get() const noexcept { return handle_.get(); }

    detail::owned<robots_rule_list, robots_rule_list_free> handle_;
};

/// The difference of two sets of rules. Move-only; rules::difference creates it.
class difference {
public:
    /// A path on which the rules disagree.
    struct path {
        std::string_view text;       ///< path and query, in ASCII
        robots::verdict verdicts[2]; ///< verdict of the rules, then of the other rules
    };

    /// Returns whether there is a difference.
    [[nodiscard]] difference_result result() const noexcept
    {
        return static_cast<difference_result>(robots_difference_result(get()));
    }
    /// Returns the number of paths.
    [[nodiscard]] std::size_t size() const noexcept { return detail::length(robots_difference_path, get()); }
    /// Returns one path; the first is a shortest one. A rule decides each further path that decides none before. Throws
    /// robots::error for an index out of range.
    [[nodiscard]] path operator[](std::size_t index) const
    {
        const auto one = detail::element(robots_difference_path, get(), index);
        return {detail::view(one.path), {robots::verdict(one.verdict), robots::verdict(one.other_verdict)}};
    }

private:
    friend class rules;
    [[nodiscard]] const robots_difference *get() const noexcept { return handle_.get(); }

    detail::owned<robots_difference, robots_difference_free> handle_;
};

inline difference rules::difference(const rules &other) const
{
    robots_difference *made = nullptr;
    detail::require(robots_rules_difference(handle_, other.handle_, &made));
    robots::difference found;
    found.handle_.reset(made);
    return found;
}

/// An image in memory of another owner, such as a mapped file or a database row, used in place. A damaged image gives an
/// error or a wrong result, nothing worse. For many calls use rules::borrow.
class image_view : public detail::checks<image_view> {
public:
    constexpr explicit image_view(std::string_view bytes) noexcept : bytes_(bytes) {}

    /// Validates every offset; throws robots::error for a damaged image.
    void validate() const { detail::require(try_validate()); }
    [[nodiscard]] robots_status try_validate() const noexcept
    {
        return robots_image_validate(bytes_.data(), bytes_.size());
    }

private:
    friend class detail::checks<image_view>;

    robots_verdict raw_check(const char *url, std::size_t len) const noexcept
    {
        return robots_image_check(bytes_.data(), bytes_.size(), url, len);
    }
    robots_status raw_batch(const char *text, const std::uint64_t *offsets, std::size_t count,
                            std::uint8_t *out) const noexcept
    {
        rules borrowed;
        const robots_status status = rules::try_borrow(bytes_, borrowed);
        if (status == ROBOTS_OK || status == ROBOTS_E_ARG)
            return robots_rules_check_batch(borrowed.get(), text, offsets, count, out);
        for (std::size_t i = 0; i < count; i++)
            out[i] = ROBOTS_DISALLOWED;
        return status;
    }
    double raw_crawl_delay() const noexcept { return robots_rules_crawl_delay(borrowed().get()); }
    robots_status raw_sitemap(std::size_t index, robots_str *out) const noexcept
    {
        return robots_rules_sitemap(borrowed().get(), index, out);
    }
    robots_verdict raw_site_verdict() const noexcept
    {
        rules made;
        const robots_status status = rules::try_borrow(bytes_, made);
        return status == ROBOTS_OK ? robots_rules_site_verdict(made.get())
                                   : robots_verdict{static_cast<std::uint64_t>(status) << 16};
    }
    [[nodiscard]] rules borrowed() const noexcept
    {
        rules made;
        static_cast<void>(rules::try_borrow(bytes_, made));
        return made;
    }

    std::string_view bytes_;
};

/// One diagnostic of a report; valid as long as the report.
struct diagnostic {
    std::uint32_t code;          ///< number of the code, 51 for "R051"
    std::uint32_t severity;      ///< ROBOTS_LINT_NOTE, _WARNING or _ERROR
    std::uint32_t line;          ///< number from 1; 0 for a diagnostic about the whole file
    std::uint32_t column;        ///< position in the line, in bytes from 1
    std::uint32_t other_line;    ///< another line that is involved; 0 for none
    std::size_t start, end;      ///< offsets of the marked bytes in the file
    std::string_view message;    ///< sentence that says what is wrong
    std::string_view suggestion; ///< sentence that says what to do; it may be empty
    std::uint32_t fix;           ///< kind of the edit: ROBOTS_LINT_FIX_NONE, _UNSAFE or _SAFE (changes no verdict)
    std::size_t fix_start, fix_end;   ///< offsets of the bytes that the edit replaces
    std::string_view fix_replacement; ///< replacement; it may be empty
};

/// One line of a robots.txt and its meaning; valid as long as the report.
struct meaning {
    std::uint32_t kind;     ///< one of ROBOTS_LINE_...
    std::uint32_t group;    ///< number from 1; 0 for none
    std::size_t start, end; ///< offsets in the file
    std::string_view field, value;
};

/// The diagnostics of a robots.txt and the meaning of each line. Move-only; crawler::lint creates it.
class lint_report {
public:
    /// Returns the number of diagnostics in the report, at most 100 of each code.
    [[nodiscard]] std::size_t size() const noexcept { return detail::length(robots_lint_report_get, get()); }
    /// Returns one diagnostic, in the order of the file. Throws robots::error for an index out of range.
    [[nodiscard]] diagnostic operator[](std::size_t index) const
    {
        robots_lint_diagnostic found{};
        found.size = sizeof found;
        detail::require(robots_lint_report_get(handle_.get(), index, &found));
        return {found.code,       found.severity, found.line, found.column,
                found.other_line, found.start,    found.end,  detail::view(found.message),
                detail::view(found.suggestion),
                found.fix,        found.fix_start, found.fix_end, detail::view(found.fix_replacement)};
    }
    /// Returns the number of diagnostics of a severity, including those that are not in the report.
    [[nodiscard]] std::uint64_t total(std::uint32_t severity) const noexcept
    {
        const robots_lint_counts all = counts();
        return severity == ROBOTS_LINT_ERROR     ? all.errors
               : severity == ROBOTS_LINT_WARNING ? all.warnings
               : severity == ROBOTS_LINT_NOTE    ? all.notes
                                                 : 0;
    }
    /// Returns the number of lines up to the size limit.
    [[nodiscard]] std::size_t line_count() const noexcept { return static_cast<std::size_t>(counts().lines); }
    /// Returns a line, from 1. Throws robots::error for a number out of range.
    [[nodiscard]] meaning line(std::size_t number) const
    {
        robots_lint_line line{};
        line.size = sizeof line;
        detail::require(robots_lint_report_line(handle_.get(), number, &line));
        return {line.kind, line.group, line.start, line.end, detail::view(line.field), detail::view(line.value)};
    }
    /// Returns the report as text, in the style of a compiler.
    [[nodiscard]] std::string_view text() const noexcept { return detail::view(robots_lint_report_text(handle_.get())); }
    /// Returns the title of a diagnostic code; empty for an unknown code.
    [[nodiscard]] static std::string_view title(std::uint32_t code) noexcept { return detail::view(meaning_of(code).title); }
    /// Returns what a diagnostic code means and what to do.
    [[nodiscard]] static std::string_view explanation(std::uint32_t code) noexcept
    {
        return detail::view(meaning_of(code).explanation);
    }

private:
    friend class crawler;

    [[nodiscard]] const robots_lint_report *get() const noexcept { return handle_.get(); }
    [[nodiscard]] robots_lint_counts counts() const noexcept { return detail::parts(robots_lint_report_count, get()); }
    [[nodiscard]] static robots_lint_meaning meaning_of(std::uint32_t code) noexcept
    {
        robots_lint_meaning found{};
        found.size = sizeof found;
        static_cast<void>(robots_lint_code(code, &found));
        return found;
    }

    struct free {
        void operator()(robots_lint_report *handle) const noexcept { robots_lint_report_free(handle); }
    };
    explicit lint_report(robots_lint_report *made) noexcept : handle_(made) {}

    std::unique_ptr<robots_lint_report, free> handle_;
};

/// The explanation of a verdict. Move-only; crawler::explain creates it.
class explanation {
public:
    /// A user-agent line.
    struct line {
        std::string_view text; ///< line as written, without comment
        std::uint32_t number;  ///< number from 1
    };
    /// A rule that matches.
    struct rule {
        std::string_view text;    ///< line as written, without comment
        std::string_view path;    ///< path as written
        std::string_view pattern; ///< path in canonical form; its length determines the priority
        std::uint32_t line;       ///< number from 1
        bool allow;
        robots::result result;
    };

    explanation() noexcept = default;

    [[nodiscard]] robots::verdict verdict() const noexcept
    {
        return handle_ != nullptr ? robots::verdict(parts().verdict) : robots::verdict();
    }
    /// Returns the verdict of a dialect for the same file and URL.
    [[nodiscard]] robots::verdict verdict_in(dialect which) const noexcept
    {
        if (handle_ == nullptr)
            return robots::verdict();
        switch (which) {
        case dialect::rfc9309: return robots::verdict(parts().rfc9309);
        case dialect::google: return robots::verdict(parts().google);
        case dialect::koster1996: return robots::verdict(parts().koster1996);
        }
        return robots::verdict(); // another number
    }
    /// Returns the canonical form of path and query, which the rules are matched with.
    [[nodiscard]] std::string_view path() const noexcept { return detail::view(parts().path); }
    /// Returns the product token that selected the groups, "*" for the `*` groups, or an empty string for no group.
    [[nodiscard]] std::string_view token() const noexcept
    {
        return detail::view(parts().token);
    }
    /// Returns the number of user-agent lines that select the groups.
    [[nodiscard]] std::size_t agent_count() const noexcept { return detail::length(robots_explanation_agent, get()); }
    /// Returns one user-agent line. Throws robots::error for an index out of range.
    [[nodiscard]] line agent(std::size_t index) const
    {
        const auto one = detail::element(robots_explanation_agent, get(), index);
        return {detail::view(one.text), one.line};
    }
    /// Returns the number of rules that match.
    [[nodiscard]] std::size_t rule_count() const noexcept { return detail::length(robots_explanation_rule, get()); }
    /// Returns one rule, in order of priority. Throws robots::error for an index out of range.
    [[nodiscard]] rule matched(std::size_t index) const
    {
        const auto one = detail::element(robots_explanation_rule, get(), index);
        return {detail::view(one.text), detail::view(one.path),          detail::view(one.pattern),
                one.line,               one.allow != 0, static_cast<robots::result>(one.result)};
    }
    /// Returns the explanation as lines for a terminal.
    [[nodiscard]] std::string_view text() const noexcept { return detail::view(parts().text); }

    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    friend class crawler;
    [[nodiscard]] const robots_explanation *get() const noexcept { return handle_.get(); }
    [[nodiscard]] robots_explained parts() const noexcept { return detail::parts(robots_explanation_get, get()); }

    detail::owned<robots_explanation, robots_explanation_free> handle_;
};

/// The usage preferences for a URL or a response, without duplicates of a label in a vocabulary. Move-only.
class preferences {
public:
    struct preference {
        std::string_view label;
        robots::vocabulary vocabulary;
        robots::choice choice;
        std::uint32_t line; ///< number from 1; 0 for a header field
    };

    preferences() noexcept = default;

    /// Creates the preferences of a response from its `Content-Usage` header field.
    [[nodiscard]] static preferences from_header(std::string_view value)
    {
        robots_preferences *made = nullptr;
        detail::require(robots_preferences_from_header(value.data(), value.size(), &made));
        return preferences(made);
    }

    [[nodiscard]] std::size_t size() const noexcept { return detail::length(robots_preferences_get, get()); }
    /// Returns one preference, sorted by vocabulary, then by label. Throws robots::error for an index out of range.
    [[nodiscard]] preference operator[](std::size_t index) const
    {
        const auto one = detail::element(robots_preferences_get, get(), index);
        return {detail::view(one.label), static_cast<robots::vocabulary>(one.vocabulary),
                static_cast<robots::choice>(one.choice), one.line};
    }

private:
    friend class extensions;
    explicit preferences(robots_preferences *made) noexcept : handle_(made) {}
    [[nodiscard]] const robots_preferences *get() const noexcept { return handle_.get(); }

    detail::owned<robots_preferences, robots_preferences_free> handle_;
};

/// The extension lines of a robots.txt. Move-only; crawler::extensions creates it.
class extensions {
public:
    struct line {
        extension_field field;
        std::string_view value;
        std::uint32_t number;   ///< number from 1
        bool in_group;          ///< true in a group that applies to the crawler, false outside all groups
        std::uint32_t requests; ///< upper bound on requests of a request-rate; 0 for another field and an invalid value
        std::uint32_t seconds;  ///< period of the request-rate in seconds
        std::uint32_t from;     ///< start in minutes after midnight UTC
        std::uint32_t until;    ///< end in minutes after midnight UTC; 0 if no time is given
    };

    extensions() noexcept = default;

    [[nodiscard]] std::size_t size() const noexcept { return detail::length(robots_extensions_line, get()); }
    /// Returns one line, in the order of the file. Throws robots::error for an index out of range.
    [[nodiscard]] line operator[](std::size_t index) const
    {
        const auto one = detail::element(robots_extensions_line, get(), index);
        return {static_cast<extension_field>(one.field), detail::view(one.value), one.line, one.in_group != 0,
                one.requests, one.seconds, one.from, one.until};
    }
    /// Returns the preferences of the file for a URL. Throws robots::error if it is not a URL.
    [[nodiscard]] robots::preferences preferences(std::string_view url) const
    {
        robots_preferences *made = nullptr;
        detail::require(robots_extensions_preferences(handle_.get(), url.data(), url.size(), &made));
        return robots::preferences(made);
    }

private:
    friend class crawler;
    [[nodiscard]] const robots_extensions *get() const noexcept { return handle_.get(); }

    detail::owned<robots_extensions, robots_extensions_free> handle_;
};

/// A crawler: product tokens, dialect, limits and fetch policy. Set it up in one thread; then any number of threads may
/// use it. Move-only.
class crawler {
public:
    /// Creates a crawler with the bare product token, such as "ExampleBot". Throws robots::error for anything else. For a
    /// token that only koster1996 has, start with without_token(), set the dialect, then add the token.
    explicit crawler(std::string_view token)
    {
        robots_crawler *made = nullptr;
        detail::require_token(robots_crawler_new(token.data(), token.size(), &made), token);
        handle_.reset(made);
    }

    /// Creates a crawler without a product token, to which only the `*` groups apply.
    [[nodiscard]] static crawler without_token()
    {
        robots_crawler *made = nullptr;
        detail::require(robots_crawler_new("*", 1, &made));
        return crawler(made);
    }

    /// Creates a crawler; returns nothing on error.
    [[nodiscard]] static std::optional<crawler> try_make(std::string_view token) noexcept
    {
        robots_crawler *made = nullptr;
        if (robots_crawler_new(token.data(), token.size(), &made) != ROBOTS_OK)
            return std::nullopt;
        return crawler(made);
    }

    /// Creates a crawler with the published settings of a well-known one, such as "Googlebot-Image". Throws
    /// robots::error for an unknown name.
    [[nodiscard]] static crawler preset(std::string_view name)
    {
        robots_crawler *made = nullptr;
        detail::require(robots_crawler_preset(name.data(), name.size(), &made));
        return crawler(made);
    }

    /// Returns the product token in a User-Agent header, as a part of `header`. Throws robots::error if there is none.
    [[nodiscard]] static std::string_view token_from_user_agent(std::string_view header)
    {
        robots_str token{};
        detail::require(robots_token_from_user_agent(header.data(), header.size(), &token));
        return detail::view(token);
    }

    /// Adds a token, which applies if no group names an earlier token.
    crawler &add_token(std::string_view token)
    {
        detail::require_token(robots_crawler_add_token(handle_.get(), token.data(), token.size()), token);
        return *this;
    }
    /// Sets an option (`ROBOTS_OPT_...`).
    crawler &set(std::uint32_t option, std::uint64_t value)
    {
        detail::require(robots_crawler_set(handle_.get(), option, value));
        return *this;
    }
    // Generated by `make api` from src: setters. DO NOT EDIT.
    /// Sets the dialect; default: rfc9309.
    crawler &dialect(robots::dialect value) { return set(ROBOTS_OPT_DIALECT, static_cast<std::uint64_t>(value)); }
    /// Sets how many bytes of a robots.txt are read (SPEC 4.5): 512,000 to 1,073,741,824; default: 512,000.
    crawler &max_bytes(std::uint64_t value) { return set(ROBOTS_OPT_MAX_BYTES, value); }
    /// Sets whether the crawler obeys only groups that name the crawler, as AdsBot-Google does, not those of `*` (SPEC
    /// 7.5); default: false.
    crawler &ignore_star(bool on) { return set(ROBOTS_OPT_IGNORE_STAR, on ? 1 : 0); }
    /// Sets whether the crawler obeys the groups of all product tokens together, as Google's matcher does, instead of
    /// those of the first token that the file names (SPEC 7.7); default: false.
    crawler &merge_tokens(bool on) { return set(ROBOTS_OPT_MERGE_TOKENS, on ? 1 : 0); }
    /// Sets whether the crawler lets a crawl-delay line end a run of user-agent lines, as a rule does (SPEC 6.1);
    /// default: false.
    crawler &crawl_delay_ends_agents(bool on) { return set(ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS, on ? 1 : 0); }
    /// Sets whether the crawler lets lint report every code, also those that are off by default; default: false.
    crawler &lint_all(bool on) { return set(ROBOTS_OPT_LINT_ALL, on ? 1 : 0); }
    // End of setters.

    /// Parses a robots.txt without content coding. The content of the file is never an error. If the body is still
    /// compressed, every check returns reason::unreachable, except in google (SPEC 4.4).
    [[nodiscard]] rules parse(std::string_view body) const
    {
        rules made;
        detail::require(try_parse(body, made));
        return made;
    }
    /// Checks one URL with a robots.txt and keeps nothing. A verdict with an error allows nothing.
    [[nodiscard]] verdict check_once(std::string_view body, std::string_view url) const noexcept
    {
        return verdict(robots_check_once(handle_.get(), body.data(), body.size(), url.data(), url.size()));
    }

    /// Parses a robots.txt; `out` is empty after an error.
    [[nodiscard]] robots_status try_parse(std::string_view body, rules &out) const noexcept
    {
        rules made;
        const robots_status status = robots_rules_parse(handle_.get(), body.data(), body.size(), &made.handle_);
        out = std::move(made);
        return status;
    }

    /// Checks a robots.txt for its author; see robots::lint_report.
    [[nodiscard]] lint_report lint(std::string_view body) const
    {
        robots_lint_report *made = nullptr;
        detail::require(robots_lint(handle_.get(), body.data(), body.size(), &made));
        return lint_report(made);
    }
    /// Explains the verdict on a file and a URL. Throws robots::error if it is not a URL.
    [[nodiscard]] explanation explain(std::string_view body, std::string_view url) const
    {
        robots_explanation *made = nullptr;
        detail::require(
            robots_rules_explain(handle_.get(), body.data(), body.size(), url.data(), url.size(), &made));
        explanation why;
        why.handle_.reset(made);
        return why;
    }
    /// Parses the extension lines of a file. The content of the file is never an error.
    [[nodiscard]] robots::extensions extensions(std::string_view body) const
    {
        robots_extensions *made = nullptr;
        detail::require(robots_extensions_parse(handle_.get(), body.data(), body.size(), &made));
        robots::extensions read;
        read.handle_.reset(made);
        return read;
    }

    /// Returns the handle for the C functions, which need no exceptions; this object keeps it.
    [[nodiscard]] const robots_crawler *get() const noexcept { return handle_.get(); }
    [[nodiscard]] robots_crawler *get() noexcept { return handle_.get(); }

private:
    struct free {
        void operator()(robots_crawler *handle) const noexcept { robots_crawler_free(handle); }
    };
    explicit crawler(robots_crawler *made) noexcept : handle_(made) {}

    std::unique_ptr<robots_crawler, free> handle_;
};

/// The kind of an outcome.
enum class outcome_kind : std::uint8_t {
    rules = ROBOTS_OUTCOME_RULES,
    allow_all = ROBOTS_OUTCOME_ALLOW_ALL,
    disallow_all = ROBOTS_OUTCOME_DISALLOW_ALL,
    defer = ROBOTS_OUTCOME_DEFER,
    unreachable = ROBOTS_OUTCOME_UNREACHABLE
};

/// The step of a fetch: what it waits for.
enum class step : std::uint32_t {
    get = ROBOTS_STEP_GET,
    headers = ROBOTS_STEP_HEADERS,
    body = ROBOTS_STEP_BODY,
    done = ROBOTS_STEP_DONE
};

/// Why there is no complete response.
enum class failure : std::uint32_t {
    none = ROBOTS_FAILURE_NONE,
    dns = ROBOTS_FAILURE_DNS,
    connect = ROBOTS_FAILURE_CONNECT,
    tls = ROBOTS_FAILURE_TLS,
    timeout = ROBOTS_FAILURE_TIMEOUT,
    reset = ROBOTS_FAILURE_RESET,
    truncated = ROBOTS_FAILURE_TRUNCATED,
    other = ROBOTS_FAILURE_OTHER,
    encoded_body = ROBOTS_FAILURE_ENCODED_BODY
};

/// The origin of a URL.
class origin {
public:
    /// Creates the origin of `url`. Throws robots::error if `url` is not an absolute http, https or ftp URL.
    explicit origin(std::string_view url) { detail::require(read(url)); }
    /// Creates an origin; returns nothing on error.
    [[nodiscard]] static std::optional<origin> try_from_url(std::string_view url)
    {
        origin made;
        return made.read(url) == ROBOTS_OK ? std::optional<origin>(std::move(made)) : std::nullopt;
    }

    /// Returns the key, such as "https://example.com".
    [[nodiscard]] std::string_view key() const noexcept { return key_; }
    [[nodiscard]] std::string_view robots_url() const noexcept { return robots_url_; }
    /// Returns whether a URL has this origin.
    [[nodiscard]] bool governs(std::string_view url) const
    {
        origin other;
        return other.read(url) == ROBOTS_OK && other.key_ == key_;
    }

private:
    origin() = default;
    robots_status read(std::string_view url)
    {
        std::size_t len = 0;
        robots_status status = robots_origin_key(url.data(), url.size(), nullptr, 0, &len);
        if (status == ROBOTS_E_SPACE) {
            key_.resize(len);
            status = robots_origin_key(url.data(), url.size(), &key_[0], len, &len);
            robots_url_ = key_ + "/robots.txt";
        }
        return status;
    }

    std::string key_, robots_url_;
};

/// Returns the form of a URL to be checked and then sent, which every client sends byte for byte (SPEC 8.11). Throws
/// robots::error if `url` is not an absolute http, https or ftp URL, or if the form exceeds 64 KiB.
[[nodiscard]] inline std::string url_to_send(std::string_view url)
{
    std::string form(url.size() + 16, '\0');
    std::size_t len = 0;
    robots_status status = robots_url_to_send(url.data(), url.size(), &form[0], form.size(), &len);
    form.resize(len);
    if (status == ROBOTS_E_SPACE)
        status = robots_url_to_send(url.data(), url.size(), &form[0], len, &len);
    detail::require(status);
    return form;
}

/// The result of fetching a robots.txt. Immutable and move-only; use std::shared_ptr to share it. Any number of threads may
/// use one object. A default-constructed or moved-from object defers every URL. Times are seconds since 1970-01-01 UTC.
class outcome {
public:
    outcome() noexcept = default;

    /// Creates the outcome of a whole response.
    [[nodiscard]] static outcome from_status(const crawler &who, std::string_view url, std::uint32_t status,
                                           std::string_view body, std::uint64_t now)
    {
        robots_outcome *made = nullptr;
        detail::require(robots_outcome_from_status(who.get(), url.data(), url.size(), status, body.data(), body.size(),
                                                   now, &made));
        return adopt(made);
    }
    /// Creates an outcome from a record of encode(), for the same crawlers in the same order. Throws robots::error for a
    /// damaged record.
    [[nodiscard]] static outcome decode(span<const robots_crawler *> crawlers, std::string_view record)
    {
        robots_outcome *made = nullptr;
        detail::require(robots_outcome_decode(crawlers.data(), crawlers.size(), record.data(), record.size(), &made));
        return adopt(made);
    }
    /// Takes ownership of a handle from the C functions.
    [[nodiscard]] static outcome adopt(robots_outcome *handle) noexcept
    {
        outcome made;
        made.handle_.reset(handle);
        return made;
    }

    [[nodiscard]] outcome_kind kind() const noexcept { return static_cast<outcome_kind>(info().kind); }
    [[nodiscard]] bool stale() const noexcept { return info().stale != 0; }
    [[nodiscard]] std::uint64_t fresh_until() const noexcept { return info().fresh_until; }
    [[nodiscard]] std::uint64_t usable_until() const noexcept { return info().usable_until; }
    [[nodiscard]] std::uint64_t retry_at() const noexcept { return info().retry_at; }
    [[nodiscard]] std::string_view final_url() const noexcept { return detail::view(info().final_url); }
    /// Returns all parts; the strings are valid as long as this outcome.
    [[nodiscard]] robots_outcome_info info() const noexcept
    {
        return detail::parts(robots_outcome_get, get());
    }

    /// Returns the rules for one of the crawlers; empty for an index out of range. Rules do not know the site and the time.
    [[nodiscard]] robots::rules rules(std::size_t crawler = 0) const noexcept
    {
        return robots::rules::adopt(robots_rules_retain(robots_outcome_rules(handle_.get(), crawler)));
    }
    /// Checks a URL of the site at the time `now`. A verdict with an error allows nothing.
    [[nodiscard]] verdict try_check(std::string_view url, std::uint64_t now, std::size_t crawler = 0) const noexcept
    {
        return verdict(robots_outcome_check(handle_.get(), crawler, url.data(), url.size(), now));
    }
    /// Checks a URL with a record of encode() or of a cache, in place, for processes that share memory.
    [[nodiscard]] static verdict check_record(std::string_view record, std::string_view url, std::uint64_t now,
                                              std::size_t crawler = 0) noexcept
    {
        return verdict(robots_record_check(record.data(), record.size(), crawler, url.data(), url.size(), now));
    }
    [[nodiscard]] bool allowed(std::string_view url, std::uint64_t now, std::size_t crawler = 0) const noexcept
    {
        return try_check(url, now, crawler).allowed();
    }
    /// Returns the outcome as bytes, to be stored or sent; valid as long as this outcome.
    [[nodiscard]] std::string_view encode() const
    {
        robots_str record = {nullptr, 0};
        detail::require(robots_outcome_encode(handle_.get(), &record));
        return detail::view(record);
    }

    /// Returns the handle for the C functions; this object keeps it.
    [[nodiscard]] const robots_outcome *get() const noexcept { return handle_.get(); }
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    detail::owned<robots_outcome, robots_outcome_free> handle_;
};

/// One retrieval of a robots.txt: a state machine without I/O. step() returns the event that it waits for; report what the
/// HTTP client received. An event at the wrong step throws robots::error and changes nothing. Move-only; one thread at a
/// time.
class fetch {
public:
    /// Starts the retrieval for any URL of the site. Throws robots::error if the scheme has no robots.txt.
    fetch(const crawler &who, std::string_view url, std::uint64_t now)
    {
        robots_fetch *made = nullptr;
        detail::require(robots_fetch_new(who.get(), url.data(), url.size(), now, &made));
        handle_.reset(made);
    }
    /// Takes ownership of a handle from the C functions.
    [[nodiscard]] static fetch adopt(robots_fetch *handle) noexcept { return fetch(handle); }

    /// Adds a crawler. Call add_crawler() and set_previous() before the first event, in this order.
    fetch &add_crawler(const crawler &who) { return report(robots_fetch_add_crawler(handle_.get(), who.get())); }
    fetch &set_previous(const outcome &previous) { return report(robots_fetch_set_previous(handle_.get(), previous.get())); }
    /// Sets an option of the fetch policy (`ROBOTS_OPT_...`) for this fetch alone.
    fetch &set(std::uint32_t option, std::uint64_t value)
    {
        return report(robots_fetch_set(handle_.get(), option, value));
    }

    [[nodiscard]] robots::step step() const noexcept
    {
        return static_cast<robots::step>(robots_fetch_step(handle_.get()));
    }
    /// Returns the URL to request; valid until the next event, as the headers to send.
    [[nodiscard]] std::string_view url() const noexcept { return detail::view(robots_fetch_url(handle_.get())); }
    [[nodiscard]] std::size_t request_header_count() const noexcept
    {
        return detail::length(robots_fetch_request_header, static_cast<const robots_fetch *>(handle_.get()));
    }
    /// Returns a header to send with the request: its name and its value. Throws robots::error for an index out of range.
    [[nodiscard]] std::pair<std::string_view, std::string_view> request_header(std::size_t index) const
    {
        const auto one = detail::element(robots_fetch_request_header, static_cast<const robots_fetch *>(handle_.get()), index);
        return {detail::view(one.name), detail::view(one.value)};
    }

    fetch &status(std::uint32_t number, std::uint64_t now) { return report(try_status(number, now)); }
    /// Reports the final reply of an FTP server instead of a status.
    fetch &ftp_reply(std::uint32_t number, std::uint64_t now)
    {
        return report(robots_fetch_ftp_reply(handle_.get(), number, now));
    }
    fetch &header(std::string_view name, std::string_view value)
    {
        return report(try_header(name, value));
    }
    fetch &headers_end() { return report(try_headers_end()); }
    fetch &body(std::string_view piece) { return report(try_body(piece)); }
    /// Reports the end of a transfer, complete (failure::none) or failed, once after each transfer, at any step.
    fetch &end(failure why, std::uint64_t now) { return report(try_end(why, now)); }

    /// Reports a status. The try_... functions report the same events in C callbacks, which no exception may leave.
    [[nodiscard]] robots_status try_status(std::uint32_t number, std::uint64_t now) noexcept
    {
        return robots_fetch_status(handle_.get(), number, now);
    }
    [[nodiscard]] robots_status try_header(std::string_view name, std::string_view value) noexcept
    {
        return robots_fetch_header(handle_.get(), name.data(), name.size(), value.data(), value.size());
    }
    [[nodiscard]] robots_status try_headers_end() noexcept { return robots_fetch_headers_end(handle_.get()); }
    [[nodiscard]] robots_status try_body(std::string_view piece) noexcept
    {
        return robots_fetch_body(handle_.get(), piece.data(), piece.size());
    }
    [[nodiscard]] robots_status try_end(failure why, std::uint64_t now) noexcept
    {
        return robots_fetch_end(handle_.get(), static_cast<std::uint32_t>(why), now);
    }

    /// Returns the outcome; throws robots::error if the fetch is not done.
    [[nodiscard]] robots::outcome outcome() const
    {
        robots_outcome *made = nullptr;
        detail::require(robots_fetch_outcome(handle_.get(), &made));
        return robots::outcome::adopt(made);
    }

    /// Returns the handle for the C functions, which need no exceptions; this object keeps it.
    [[nodiscard]] robots_fetch *get() noexcept { return handle_.get(); }

private:
    struct free {
        void operator()(robots_fetch *handle) const noexcept { robots_fetch_free(handle); }
    };
    explicit fetch(robots_fetch *made) noexcept : handle_(made) {}
    fetch &report(robots_status status)
    {
        detail::require(status);
        return *this;
    }

    std::unique_ptr<robots_fetch, free> handle_;
};

/// The exclusive right to fetch an origin's robots.txt. The destructor returns it to the cache. Move-only.
class ticket {
public:
    ticket() noexcept = default;

    /// Returns the key of the origin, such as "https://example.com"; valid until finish().
    [[nodiscard]] std::string_view origin() const noexcept { return detail::view(robots_ticket_origin(handle_.get())); }
    /// Starts the retrieval for all crawlers of the cache. The fetch does not need the ticket, but finish() does.
    [[nodiscard]] robots::fetch fetch(std::uint64_t now) const
    {
        robots_fetch *made = nullptr;
        detail::require(robots_ticket_fetch(handle_.get(), now, &made));
        return robots::fetch::adopt(made);
    }
    /// Submits the outcome, once. Throws robots::error for another site, or if the outcome does not fit into the cache.
    void finish(const outcome &found, std::uint64_t now) { detail::require(try_finish(found, now)); }
    /// Submits the outcome and returns the status.
    [[nodiscard]] robots_status try_finish(const outcome &found, std::uint64_t now) noexcept
    {
        return robots_ticket_finish(handle_.get(), found.get(), now);
    }

    /// Takes ownership of a ticket from the C functions.
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

/// What the crawler does next with a URL.
enum class action : std::uint32_t {
    decided = ROBOTS_CACHE_DECIDED,
    fetch = ROBOTS_CACHE_FETCH,
    wait = ROBOTS_CACHE_WAIT,
    defer = ROBOTS_CACHE_DEFER
};

/// The answer of a cache. Move-only, as its ticket.
struct cache_answer {
    /// Verdict, which allows the URL only with action::decided, or has an error.
    robots::verdict verdict;
    robots::action action = robots::action::defer;
    /// Time of the next check for wait and defer, in seconds since 1970-01-01 UTC.
    std::uint64_t until = 0;
    /// Slot of request() and delay to the next slot, in milliseconds; 0 if no slot was reserved.
    std::uint64_t request_at_ms = 0, crawl_delay_ms = 0;
    /// True from request() if the file states a longer crawl-delay.
    bool crawl_delay_cut = false;
    /// Ticket, which action::fetch always has, action::decided sometimes, the others never.
    robots::ticket ticket;
};

/// The outcomes of many sites in a limited amount of memory. Move-only; any number of threads may use one object.
class cache {
public:
    /// Creates a cache of at most `max_bytes` bytes for a crawler, which is copied.
    cache(const crawler &who, std::size_t max_bytes)
    {
        robots_cache *made = nullptr;
        detail::require(robots_cache_new(who.get(), max_bytes, &made));
        handle_.reset(made);
    }

    /// Adds a crawler with the next index. Call it before the cache is used.
    cache &add_crawler(const crawler &who)
    {
        detail::require(robots_cache_add_crawler(handle_.get(), who.get()));
        return *this;
    }
    /// Sets an option (`ROBOTS_CACHE_OPT_...`). Call it before the cache is used.
    cache &set(std::uint32_t option, std::uint64_t value)
    {
        detail::require(robots_cache_set(handle_.get(), option, value));
        return *this;
    }
    /// Sets the validity of a ticket.
    cache &ticket_ttl(std::uint64_t seconds) { return set(ROBOTS_CACHE_OPT_TICKET_TTL, seconds); }
    /// Sets the delay for a file that states none.
    cache &default_delay(std::uint64_t ms) { return set(ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS, ms); }
    /// Sets the upper bound on an obeyed crawl-delay.
    cache &max_delay(std::uint64_t ms) { return set(ROBOTS_CACHE_OPT_MAX_DELAY_MS, ms); }
    /// Sets how far ahead request() reserves a slot.
    cache &horizon(std::uint64_t ms) { return set(ROBOTS_CACHE_OPT_HORIZON_MS, ms); }

    /// Checks an absolute URL at `now`, in seconds since 1970-01-01 UTC.
    [[nodiscard]] cache_answer check(std::string_view url, std::uint64_t now, std::size_t crawler = 0) const noexcept
    {
        return ask(robots_cache_check, url, crawler, now);
    }
    /// Checks an absolute URL that is about to be requested, and reserves its slot. If request_at_ms is `now_ms`, send the
    /// request now. Otherwise sleep until request_at_ms and call again with that time as `slot_ms`. `now_ms`: milliseconds
    /// since 1970-01-01 UTC.
    [[nodiscard]] cache_answer request(std::string_view url, std::uint64_t slot_ms, std::uint64_t now_ms,
                                       std::size_t crawler = 0) const noexcept
    {
        return ask(robots_cache_request, url, crawler, slot_ms, now_ms);
    }
    /// Reports the response to a page and returns the status. The crawl-delay counts from the response. After 429 or 503
    /// no slot of the site is earlier than `value`, its `Retry-After`.
    robots_status retry_after(std::string_view url, std::uint32_t http_status, std::string_view value,
                              std::uint64_t now_ms) const noexcept
    {
        return robots_cache_retry_after(handle_.get(), url.data(), url.size(), http_status, value.data(), value.size(), now_ms);
    }

    /// Returns a site's outcome in the cache for its crawl-delay, sitemaps or times; empty if there is none. Throws
    /// robots::error if `url` is not an absolute URL.
    [[nodiscard]] robots::outcome outcome(std::string_view url) const
    {
        robots_outcome *known = nullptr;
        detail::require(robots_cache_outcome(handle_.get(), url.data(), url.size(), &known));
        return robots::outcome::adopt(known);
    }
    /// Removes the site of a URL. Throws robots::error if `url` is not an absolute URL.
    void remove(std::string_view url) const { detail::require(robots_cache_remove(handle_.get(), url.data(), url.size())); }
    void clear() const noexcept { robots_cache_clear(handle_.get()); }
    [[nodiscard]] std::size_t bytes() const noexcept { return counts().bytes; }
    [[nodiscard]] std::size_t count() const noexcept { return counts().sites; }
    /// Returns the counts of the cache.
    [[nodiscard]] robots_cache_counts counts() const noexcept
    {
        return detail::parts(robots_cache_count, static_cast<const robots_cache *>(handle_.get()));
    }

    /// Passes one record per site to `receive`, a function of a std::string_view that is valid during the call. `receive`
    /// may use this cache. An exception of `receive` ends the list and is thrown again.
    template <class Receive>
    void each_record(Receive &&receive) const
    {
        receiver<std::remove_reference_t<Receive>> with{receive};
        detail::require(robots_cache_each(handle_.get(), with.call, &with));
        with.rethrow();
    }
    /// Imports a record and returns the status; continue with the next record after an error.
    [[nodiscard]] robots_status try_import(std::string_view record) const noexcept
    {
        return robots_cache_import(handle_.get(), record.data(), record.size());
    }
    /// Saves all records to a file, whole or not at all. Returns the status; sets the numbers, or the error of the system.
    [[nodiscard]] robots_status try_save(std::string_view path, robots_cache_file &numbers) const noexcept
    {
        numbers = {};
        numbers.size = sizeof numbers;
        return robots_cache_save(handle_.get(), path.data(), path.size(), &numbers);
    }
    /// Imports the records of such a file. Returns the status; sets the numbers, or the error of the system.
    [[nodiscard]] robots_status try_load(std::string_view path, robots_cache_file &numbers) const noexcept
    {
        numbers = {};
        numbers.size = sizeof numbers;
        return robots_cache_load(handle_.get(), path.data(), path.size(), &numbers);
    }

    /// Returns the handle for the C functions; this object keeps it.
    [[nodiscard]] const robots_cache *get() const noexcept { return handle_.get(); }
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    template <class Question, class... Times>
    [[nodiscard]] cache_answer ask(Question question, std::string_view url, std::size_t crawler, Times... times) const noexcept
    {
        robots_cache_answer raw = {};
        raw.size = sizeof raw;
        cache_answer answer;
        answer.verdict = robots::verdict(question(handle_.get(), crawler, url.data(), url.size(), times..., &raw));
        answer.action = static_cast<robots::action>(raw.action);
        answer.until = raw.until;
        answer.request_at_ms = raw.request_at_ms;
        answer.crawl_delay_ms = raw.crawl_delay_ms;
        answer.crawl_delay_cut = raw.crawl_delay_cut != 0;
        answer.ticket = ticket::adopt(raw.ticket);
        return answer;
    }

    /// Calls a C++ function from C, which no exception may pass.
    template <class Receive>
    struct receiver {
        Receive &receive;
#if defined(__cpp_exceptions)
        std::exception_ptr thrown{};

        static std::uint32_t call(void *context, const char *record, std::size_t len) noexcept
        {
            auto &self = *static_cast<receiver *>(context);
            try {
                self.receive(std::string_view(record, len));
            } catch (...) {
                self.thrown = std::current_exception();
                return 1;
            }
            return 0;
        }
        void rethrow() const
        {
            if (thrown)
                std::rethrow_exception(thrown);
        }
#else
        static std::uint32_t call(void *context, const char *record, std::size_t len) noexcept
        {
            static_cast<receiver *>(context)->receive(std::string_view(record, len));
            return 0;
        }
        void rethrow() const noexcept {}
#endif
    };

    detail::owned<robots_cache, robots_cache_free> handle_;
};

/// A control of a page. Later versions may add controls.
enum class control : std::uint32_t {
    index = ROBOTS_CONTROL_INDEX,
    follow = ROBOTS_CONTROL_FOLLOW,
    archive = ROBOTS_CONTROL_ARCHIVE,
    snippet = ROBOTS_CONTROL_SNIPPET,
    translate = ROBOTS_CONTROL_TRANSLATE,
    image_index = ROBOTS_CONTROL_IMAGE_INDEX,
    index_if_embedded = ROBOTS_CONTROL_INDEX_IF_EMBEDDED,
    max_snippet = ROBOTS_CONTROL_MAX_SNIPPET,
    max_image_preview = ROBOTS_CONTROL_MAX_IMAGE_PREVIEW,
    max_video_preview = ROBOTS_CONTROL_MAX_VIDEO_PREVIEW,
    unavailable_after = ROBOTS_CONTROL_UNAVAILABLE_AFTER
};

/// The source of a page's rule. Later versions may add sources.
enum class page_source : std::uint32_t {
    none = ROBOTS_PAGE_NONE,
    x_robots_tag = ROBOTS_PAGE_X_ROBOTS_TAG,
    robots_tag = ROBOTS_PAGE_ROBOTS_TAG,
    meta = ROBOTS_PAGE_META
};

/// The time zone of a date.
enum class zone : std::uint32_t {
    known = ROBOTS_ZONE_KNOWN,
    missing = ROBOTS_ZONE_MISSING,
    unknown = ROBOTS_ZONE_UNKNOWN
};

/// The page-level controls and the usage preferences of a response. Move-only. An empty object permits nothing.
class page_controls {
public:
    /// One rule of a page. The views are valid until a value is added.
    struct rule {
        std::string_view text;  ///< rule as written, at most 256 bytes
        std::string_view agent; ///< product token that the rule names; empty for a rule for every crawler
        std::int64_t value;     ///< value of the control; 0 for an unknown rule
        page_source source;
        std::uint32_t number; ///< number of the header or element in the source, from 1
        robots::zone zone;    ///< time zone of a date
    };

    page_controls() noexcept = default;
    /// Creates controls that restrict nothing.
    explicit page_controls(const crawler &crawler)
    {
        robots_page_controls *made = nullptr;
        detail::require(robots_page_controls_new(crawler.get(), &made));
        handle_.reset(made);
    }

    /// Adds a header of the response; headers without page controls have no effect. After an exception every control is 0.
    page_controls &add_header(std::string_view name, std::string_view value)
    {
        detail::require(robots_page_controls_add_header(handle_.get(), name.data(), name.size(), value.data(), value.size()));
        return *this;
    }
    /// Adds a `<meta>` element of the page. After an exception every control is 0.
    page_controls &add_meta(std::string_view name, std::string_view content)
    {
        detail::require(robots_page_controls_add_meta(handle_.get(), name.data(), name.size(), content.data(), content.size()));
        return *this;
    }

    /// Returns the value of a control; 0 is the most restrictive one.
    [[nodiscard]] std::int64_t value(control which) const noexcept
    {
        robots_page_rule decided{};
        decided.size = sizeof decided;
        static_cast<void>(robots_page_controls_get(handle_.get(), static_cast<std::uint32_t>(which), &decided));
        return decided.value;
    }
    [[nodiscard]] bool may_index() const noexcept { return value(control::index) != 0; }
    [[nodiscard]] bool may_follow() const noexcept { return value(control::follow) != 0; }
    /// Returns the end of the time in which the page may be shown, in seconds since 1970-01-01 UTC.
    [[nodiscard]] std::optional<std::int64_t> unavailable_after() const noexcept
    {
        const std::int64_t seconds = value(control::unavailable_after);
        return seconds < 0 ? std::nullopt : std::optional<std::int64_t>(seconds);
    }
    /// Returns the rule that decides a control, with the source page_source::none if no rule decides. Throws robots::error
    /// for an unknown control.
    [[nodiscard]] rule decided_by(control which) const
    {
        robots_page_rule decided{};
        decided.size = sizeof decided;
        detail::require(robots_page_controls_get(handle_.get(), static_cast<std::uint32_t>(which), &decided));
        return shown(decided);
    }
    [[nodiscard]] std::size_t unknown_count() const noexcept { return detail::length(robots_page_controls_unknown, get()); }
    /// Returns one unknown rule. Throws robots::error for an index out of range.
    [[nodiscard]] rule unknown(std::size_t index) const
    {
        return shown(detail::element(robots_page_controls_unknown, get(), index));
    }
    /// Returns the choice of the `Content-Usage` headers for a label, such as "train-ai".
    [[nodiscard]] choice usage(std::string_view label) const noexcept
    {
        return static_cast<choice>(robots_page_controls_usage(handle_.get(), label.data(), label.size()));
    }

    /// Returns the handle for the C functions; this object keeps it.
    [[nodiscard]] const robots_page_controls *get() const noexcept { return handle_.get(); }

private:
    static rule shown(const robots_page_rule &rule) noexcept
    {
        return {detail::view(rule.text),
                detail::view(rule.agent),
                rule.value,
                static_cast<page_source>(rule.source),
                rule.number,
                static_cast<robots::zone>(rule.zone)};
    }

    detail::owned<robots_page_controls, robots_page_controls_free> handle_;
};

/// Returns the version of the library, such as "0.1.0".
[[nodiscard]] inline std::string version()
{
    const std::uint32_t number = robots_version_number();
    return std::to_string(number / 1000000) + '.' + std::to_string(number / 1000 % 1000) + '.' + std::to_string(number % 1000);
}
/// Returns the version of the library as a number, to compare with ROBOTS_VERSION_NUMBER, the version of the headers.
[[nodiscard]] inline std::uint32_t version_number() noexcept { return robots_version_number(); }

} // namespace robots

#endif
