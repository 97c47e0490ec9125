/*
 * librobots for C++17: types that own the handles of librobots.h and librobots_tools.h.
 *
 *     robots::crawler crawler("ExampleBot");
 *     robots::rules rules = crawler.parse(body);             // any bytes; keep it, share it
 *     if (rules.allowed("https://example.com/page")) ...     // any thread; no lock
 *     robots::verdict why = rules.check("https://example.com/page");
 *
 * Conventions:
 * - A string argument is a std::string_view of any bytes; the library does not keep it. A std::string_view that a function
 *   returns refers to data of the object, and is valid as long as the object.
 * - A failure throws robots::error, the only exception; its status is ROBOTS_END for an index out of range. If a function can
 *   fail because of outside data, it has a version try_... that neither throws nor aborts. This version returns a status, a
 *   verdict with a status, or a robots::expected. Without exceptions (-fno-exceptions), other functions abort the program
 *   on failure. So does a lack of memory for the std::string of an origin, of a URL to send or of a receipt, and for the
 *   signals about a use.
 * - Lists have begin() and end(). A loop over an index up to size() takes quadratic time, because size() visits all elements.
 * - One program may have translation units with and without exceptions: each mode has an inline namespace. To pass an
 *   object to the other mode, pass its C handle: get(), adopt().
 * - A time is one of std::chrono::system_clock, of any precision. It becomes whole milliseconds.
 * - A moved-from object is empty. Its functions throw or return ROBOTS_E_ARG. Misuse never permits a fetch.
 * - Many threads may call const members of one object at the same time.
 * - The include guard is the only macro. librobots.h and librobots_tools.h describe each function.
 */
#ifndef LIBROBOTS_HPP
#define LIBROBOTS_HPP

#if __cplusplus < 201703L && (!defined(_MSVC_LANG) || _MSVC_LANG < 201703L)
#error "librobots.hpp needs C++17: compile with -std=c++17 or newer, or include librobots.h, for which C++11 will do"
#endif

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <iterator>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>
#if defined(__has_include)
#if __has_include(<version>)
#include <version>
#endif
#endif
#if defined(__cpp_lib_expected)
#include <expected>
#endif

#include <librobots_tools.h>

namespace robots {
// Functions that can fail differ between the modes. Under one name, the linker would keep one version for the whole program.
#if defined(__cpp_exceptions)
inline namespace with_exceptions {
#else
inline namespace without_exceptions {
#endif

/// An error: its number (`ROBOTS_E_...`) and a sentence that says what to do.
class error : public std::runtime_error {
public:
    explicit error(robots_status status) : error(status, robots_status_text(status)) {}
    error(robots_status status, const std::string &text) : std::runtime_error(text), status_(status) {}

    [[nodiscard]] robots_status status() const noexcept { return status_; }

private:
    robots_status status_;
};

/// A time that the library returns.
using time_point = std::chrono::time_point<std::chrono::system_clock, std::chrono::milliseconds>;

/// A time that a function receives. It converts from a time of any precision.
class instant {
public:
    template <class Duration>
    constexpr instant(std::chrono::time_point<std::chrono::system_clock, Duration> time) noexcept
        : ms_(static_cast<std::uint64_t>(std::chrono::floor<std::chrono::milliseconds>(time).time_since_epoch().count()))
    {
    }
    /// Returns the milliseconds since 1970. An earlier time becomes a number that no function accepts.
    [[nodiscard]] constexpr std::uint64_t ms() const noexcept { return ms_; }

private:
    std::uint64_t ms_;
};

/// A function that returns the current time.
using clock = instant (*)();

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
enum class batch_answer : std::uint8_t {
    disallowed = ROBOTS_DISALLOWED,
    allowed = ROBOTS_ALLOWED,
    bad_url = ROBOTS_BAD_URL
};

/// The match result of a rule that matches. Later versions may add results.
enum class match_result : std::uint32_t {
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
    /// Creates a verdict that no call has returned. It has the error ROBOTS_E_STATE and allows nothing.
    constexpr verdict() noexcept = default;
    constexpr explicit verdict(robots_verdict raw) noexcept : bits_(raw.bits) {}

    /// Returns whether the URL may be fetched; false on error.
    [[nodiscard]] constexpr bool allowed() const noexcept { return (bits_ & 1u) != 0; }
    /// Returns whether this is the verdict on every URL of the site except /robots.txt (SPEC 8.13).
    [[nodiscard]] constexpr bool is_site_wide() const noexcept { return (bits_ & 2u) != 0; }
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
    std::uint64_t bits_ = std::uint64_t{ROBOTS_E_STATE} << 16;
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

inline instant now() { return std::chrono::system_clock::now(); }

inline std::string_view view(robots_str text) noexcept { return {text.ptr, text.len}; }

/// Converts milliseconds of the library to a time. "Never" becomes the last time of the clock.
inline time_point time_of(std::uint64_t ms) noexcept
{
    // A clock with a finer unit than milliseconds has an earlier last time.
    constexpr std::uint64_t last = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::duration::max()).count();
    return time_point(std::chrono::milliseconds(static_cast<std::int64_t>(ms < last ? ms : last)));
}

/// Returns the start of a string, for one line of a message.
inline std::string shown(std::string_view text)
{
    std::string line(text.substr(0, 200));
    for (char &c : line)
        if (static_cast<unsigned char>(c) < ' ' || c == 0x7f) c = '?';
    return text.size() > 200 ? line + "..." : line;
}

/// As require(). If `token` is a User-Agent header, the error names the token in it, on one line.
inline void require_token(robots_status status, std::string_view token)
{
    robots_str found{};
    if (status == ROBOTS_E_TOKEN && robots_token_from_user_agent(token.data(), token.size(), &found) == ROBOTS_OK &&
        found.len < token.size()) {
        fail(error(status, "`" + shown(token) + "` is a User-Agent header; its token is " + std::string(view(found))));
    }
    require(status);
}

} // namespace detail

/// A value, or the status that says why there is none. With C++23 it converts to a std::expected.
template <class T>
class [[nodiscard]] expected {
public:
    /// Creates an object without a value, with ROBOTS_E_ARG.
    expected() noexcept = default;
    expected(T value) noexcept : value_(std::move(value)), status_(ROBOTS_OK) {}
    /// Creates an object without a value; `status` is the error of the thread's last call.
    expected(robots_status status) noexcept : status_(status), text_(robots_status_text(status)) {}

    [[nodiscard]] bool has_value() const noexcept { return value_.has_value(); }
    [[nodiscard]] explicit operator bool() const noexcept { return value_.has_value(); }
    /// Returns ROBOTS_OK or the error.
    [[nodiscard]] robots_status status() const noexcept { return status_; }
    /// Returns the value, which must exist.
    [[nodiscard]] T &operator*() & noexcept { return *value_; }
    [[nodiscard]] const T &operator*() const & noexcept { return *value_; }
    [[nodiscard]] T &&operator*() && noexcept { return std::move(*value_); }
    [[nodiscard]] T *operator->() noexcept { return &*value_; }
    [[nodiscard]] const T *operator->() const noexcept { return &*value_; }
    /// Moves the value out. Throws robots::error if there is none.
    [[nodiscard]] T value() &&
    {
        if (!value_)
            detail::fail(error(status_, text_));
        return std::move(*value_);
    }
#if defined(__cpp_lib_expected)
    operator std::expected<T, robots_status>() &&
    {
        if (value_)
            return std::move(*value_);
        return std::unexpected(status_);
    }
#endif

private:
    std::optional<T> value_;
    robots_status status_ = ROBOTS_E_ARG;
    const char *text_ = "invalid argument: no call has created this object"; // robots_status_text() describes another call
};

/// The elements of a list. `Get` returns one by index; none after the last. Valid as long as the object that returned the list.
template <class Element, class Owner, expected<Element> (*Get)(const Owner *, std::size_t)>
class list {
public:
    class iterator {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = Element;
        using difference_type = std::ptrdiff_t;
        using pointer = const Element *;
        using reference = const Element &;

        iterator() noexcept = default;
        explicit iterator(const Owner *owner) noexcept : owner_(owner), current_(Get(owner, 0)) {}

        reference operator*() const noexcept { return *current_; }
        pointer operator->() const noexcept { return &*current_; }
        iterator &operator++() noexcept
        {
            current_ = Get(owner_, ++index_);
            return *this;
        }
        iterator operator++(int) noexcept
        {
            iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const iterator &a, const iterator &b) noexcept
        {
            return a.current_ && b.current_ ? a.index_ == b.index_ : a.current_.has_value() == b.current_.has_value();
        }
        friend bool operator!=(const iterator &a, const iterator &b) noexcept { return !(a == b); }

    private:
        const Owner *owner_ = nullptr;
        std::size_t index_ = 0;
        expected<Element> current_;
    };

    explicit list(const Owner *owner) noexcept : owner_(owner) {}

    [[nodiscard]] iterator begin() const noexcept { return iterator(owner_); }
    [[nodiscard]] iterator end() const noexcept { return iterator(); }
    /// Returns the number of elements; visits all of them.
    [[nodiscard]] std::size_t size() const noexcept
    {
        std::size_t count = 0;
        while (try_at(count))
            count++;
        return count;
    }
    /// Returns one element. Throws robots::error for an index out of range.
    [[nodiscard]] Element operator[](std::size_t index) const { return try_at(index).value(); }
    [[nodiscard]] expected<Element> try_at(std::size_t index) const noexcept { return Get(owner_, index); }

private:
    const Owner *owner_;
};

namespace detail {

/// Base of a class that is a list itself. `elements()` of the class returns the list.
template <class Self>
class sequence {
public:
    [[nodiscard]] auto begin() const noexcept { return self().elements().begin(); }
    [[nodiscard]] auto end() const noexcept { return self().elements().end(); }
    /// Returns the number of elements; visits all of them.
    [[nodiscard]] std::size_t size() const noexcept { return self().elements().size(); }
    /// Returns one element. Throws robots::error for an index out of range.
    [[nodiscard]] auto operator[](std::size_t index) const { return self().elements()[index]; }
    [[nodiscard]] auto try_at(std::size_t index) const noexcept { return self().elements().try_at(index); }

private:
    friend Self;
    sequence() noexcept = default;
    [[nodiscard]] const Self &self() const noexcept { return static_cast<const Self &>(*this); }
};

/// Deleter of a handle that `Free` frees.
template <class Handle, void (*Free)(Handle *)>
struct frees {
    void operator()(Handle *handle) const noexcept { Free(handle); }
};
template <class Handle, void (*Free)(Handle *)>
using owned = std::unique_ptr<Handle, frees<Handle, Free>>;

/// Returns an element of a list: `get` fills a struct of C, and `convert` converts the struct.
template <class Raw, class Handle, class Convert>
auto element(robots_status (*get)(const Handle *, std::size_t, Raw *), const Handle *list, std::size_t index,
             Convert convert) noexcept -> expected<decltype(convert(std::declval<const Raw &>()))>
{
    Raw filled{};
    filled.size = sizeof filled;
    const robots_status status = get(list, index, &filled);
    if (status != ROBOTS_OK)
        return status;
    return convert(filled);
}

/// Creates an object that owns the handle from `create`, a call of a C function whose last parameter is `Handle **`.
template <class Made, class Handle, class Create>
expected<Made> made_by(Create create) noexcept
{
    Handle *handle = nullptr;
    const robots_status status = create(&handle);
    if (status != ROBOTS_OK)
        return status;
    return Made::adopt(handle);
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

/// The functions that rules and images share. The raw_... functions of `Source` call the C API.
template <class Source>
class checks {
public:
    /// Checks one URL. Throws robots::error if `url` is not a URL, for an empty object and for a damaged image.
    /// A URL that clients read differently, such as `/a/../b`, is allowed only if each reading is allowed (SPEC 8.11).
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
    /// `offsets` has one element more than `answers`; without URLs it may be empty. Throws robots::error if the sizes do
    /// not fit together, or if offsets decrease or exceed `text`.
    void check_batch(std::string_view text, span<const std::uint64_t> offsets, span<batch_answer> answers) const
    {
        require(try_check_batch(text, offsets, answers));
    }
    /// Checks many URLs and returns the status. After an error every answer is batch_answer::disallowed.
    [[nodiscard]] robots_status try_check_batch(std::string_view text, span<const std::uint64_t> offsets,
                                                span<batch_answer> answers) const noexcept
    {
        const std::size_t count = answers.size();
        if (count == 0 && offsets.size() == 0)
            return self().raw_batch(nullptr, nullptr, 0, nullptr);
        // The C function does not know the size of the text. It checks that no offset decreases, so the last offset
        // suffices here.
        if (offsets.size() == 0 || offsets.size() - 1 != count || offsets.data()[count] > text.size()) {
            std::uint8_t none = 0; // the C function refuses offsets that are NULL
            return self().raw_batch(nullptr, nullptr, count > 0 ? count : 1,
                                    count > 0 ? reinterpret_cast<std::uint8_t *>(answers.data()) : &none);
        }
        return self().raw_batch(text.data(), offsets.data(), count, reinterpret_cast<std::uint8_t *>(answers.data()));
    }

    /// Returns the crawl-delay in seconds, if there is one.
    [[nodiscard]] std::optional<double> crawl_delay() const noexcept
    {
        const double seconds = self().raw_crawl_delay();
        return seconds == seconds ? std::optional<double>(seconds) : std::nullopt; // NaN: none
    }

    /// Returns one sitemap as written, from index 0; nothing after the last. Valid as long as this object; for
    /// an image, as long as the bytes of the image.
    [[nodiscard]] std::optional<std::string_view> sitemap(std::size_t index) const noexcept
    {
        robots_str found = {nullptr, 0};
        if (self().raw_sitemap(index, &found) != ROBOTS_OK)
            return std::nullopt;
        return view(found);
    }
    /// Returns all sitemaps as written.
    [[nodiscard]] auto sitemaps() const noexcept { return list<std::string_view, Source, &checks::sitemap_at>(&self()); }

private:
    friend Source;
    checks() noexcept = default;
    static expected<std::string_view> sitemap_at(const Source *source, std::size_t index) noexcept
    {
        const std::optional<std::string_view> found = source->sitemap(index);
        return found ? expected<std::string_view>(*found) : expected<std::string_view>(ROBOTS_END);
    }
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
    [[nodiscard]] static rules allow_all() { return site_wide(ROBOTS_ALLOWED); }
    /// Creates rules that disallow every URL except /robots.txt.
    [[nodiscard]] static rules disallow_all() { return site_wide(ROBOTS_DISALLOWED); }
    /// Creates rules from an image, which is validated and copied. Throws robots::error for a damaged image.
    [[nodiscard]] static rules from_image(std::string_view image) { return try_from_image(image).value(); }
    [[nodiscard]] static expected<rules> try_from_image(std::string_view image) noexcept
    {
        return made([&](robots_rules **out) { return robots_rules_from_image(image.data(), image.size(), out); });
    }
    /// Creates rules that borrow an image in constant time. The bytes must stay unchanged as long as any copy of these
    /// rules exists. Throws robots::error if the bytes have no valid header.
    [[nodiscard]] static rules borrow(std::string_view image) { return try_borrow(image).value(); }
    [[nodiscard]] static expected<rules> try_borrow(std::string_view image) noexcept
    {
        return made([&](robots_rules **out) { return robots_rules_borrow_image(image.data(), image.size(), out); });
    }
    /// Takes ownership of a reference from the C functions.
    [[nodiscard]] static rules adopt(robots_rules *handle) noexcept
    {
        rules adopted;
        adopted.handle_ = handle;
        return adopted;
    }

    /// Finds a shortest path on which these rules and `other` disagree, or proves that no such path exists
    /// (SPEC 12). Throws robots::error for empty rules, for a damaged image and when out of memory.
    [[nodiscard]] robots::difference difference(const rules &other) const;
    [[nodiscard]] expected<robots::difference> try_difference(const rules &other) const noexcept;

    /// Returns the compiled rules as bytes, to be stored or sent; valid as long as any copy of these rules.
    [[nodiscard]] std::string_view image() const noexcept { return detail::view(robots_rules_image(handle_)); }

    /// Returns the handle for the C functions; this object keeps it.
    [[nodiscard]] const robots_rules *get() const noexcept { return handle_; }
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    friend class detail::checks<rules>;

    template <class Create>
    static expected<rules> made(Create create) noexcept
    {
        return detail::made_by<rules, robots_rules>(create);
    }
    static rules site_wide(std::uint32_t answer)
    {
        return made([answer](robots_rules **out) { return robots_rules_site_wide(answer, out); }).value();
    }
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

    robots_rules *handle_ = nullptr;
};

/// A list of the rules that can decide, in the order of the file, for code that shows or converts them. Move-only.
class rule_list : public detail::sequence<rule_list> {
public:
    struct rule {
        std::string_view pattern; ///< path in canonical form
        std::uint32_t line;       ///< number from 1; 0 for a site-wide rule that no line states
        bool allow;
    };

    /// Creates the list. Throws robots::error for empty rules, for a damaged image and when out of memory.
    explicit rule_list(const rules &of) : rule_list(try_make(of).value()) {}
    [[nodiscard]] static expected<rule_list> try_make(const rules &of) noexcept
    {
        return detail::made_by<rule_list, robots_rule_list>(
            [&](robots_rule_list **out) { return robots_rule_list_new(of.get(), out); });
    }
    /// Takes ownership of a handle from the C functions.
    [[nodiscard]] static rule_list adopt(robots_rule_list *handle) noexcept { return rule_list(handle); }

private:
    friend class detail::sequence<rule_list>;
    explicit rule_list(robots_rule_list *made) noexcept : handle_(made) {}
    static expected<rule> at(const robots_rule_list *rules, std::size_t index) noexcept
    {
        return detail::element(robots_rule_list_get, rules, index, [](const robots_rule &one) {
            return rule{detail::view(one.pattern), one.line, one.allow != 0};
        });
    }
    [[nodiscard]] auto elements() const noexcept { return list<rule, robots_rule_list, &rule_list::at>(handle_.get()); }

    detail::owned<robots_rule_list, robots_rule_list_free> handle_;
};

/// The difference of two sets of rules: a list of paths. The first path is a shortest one. The rule that decides a
/// further path decides no earlier path. Move-only; rules::difference creates it.
class difference : public detail::sequence<difference> {
public:
    /// A path on which the rules disagree.
    struct path {
        std::string_view text;       ///< path and query, in ASCII
        robots::verdict verdicts[2]; ///< verdict of the rules, then of the other rules
    };

    /// Takes ownership of a handle from the C functions.
    [[nodiscard]] static difference adopt(robots_difference *handle) noexcept { return difference(handle); }
    /// Returns whether there is a difference.
    [[nodiscard]] difference_result result() const noexcept
    {
        return static_cast<difference_result>(robots_difference_result(handle_.get()));
    }

private:
    friend class detail::sequence<difference>;
    explicit difference(robots_difference *made) noexcept : handle_(made) {}
    static expected<path> at(const robots_difference *paths, std::size_t index) noexcept
    {
        return detail::element(robots_difference_path, paths, index, [](const auto &one) {
            return path{detail::view(one.path), {robots::verdict(one.verdict), robots::verdict(one.other_verdict)}};
        });
    }
    [[nodiscard]] auto elements() const noexcept { return list<path, robots_difference, &difference::at>(handle_.get()); }

    detail::owned<robots_difference, robots_difference_free> handle_;
};

inline expected<difference> rules::try_difference(const rules &other) const noexcept
{
    return detail::made_by<robots::difference, robots_difference>(
        [&](robots_difference **out) { return robots_rules_difference(handle_, other.handle_, out); });
}
inline difference rules::difference(const rules &other) const { return try_difference(other).value(); }

/// An image in memory of another owner, such as a mapped file or a database row, used in place. A damaged image causes an
/// error or a wrong result, nothing worse. For many calls use rules::borrow.
class image_view : public detail::checks<image_view> {
public:
    constexpr explicit image_view(std::string_view bytes) noexcept : bytes_(bytes) {}

    /// Validates every offset; throws robots::error for a damaged image.
    void validate() const { detail::require(try_validate()); }
    [[nodiscard]] robots_status try_validate() const noexcept
    {
        return rules::try_from_image(bytes_).status();
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
        const expected<rules> made = rules::try_borrow(bytes_);
        if (made || made.status() == ROBOTS_E_ARG)
            return robots_rules_check_batch(made ? made->get() : nullptr, text, offsets, count, out);
        for (std::size_t i = 0; i < count; i++)
            out[i] = ROBOTS_DISALLOWED;
        return made.status();
    }
    double raw_crawl_delay() const noexcept { return robots_rules_crawl_delay(borrowed().get()); }
    robots_status raw_sitemap(std::size_t index, robots_str *out) const noexcept
    {
        return robots_rules_sitemap(borrowed().get(), index, out);
    }
    [[nodiscard]] rules borrowed() const noexcept
    {
        expected<rules> made = rules::try_borrow(bytes_);
        return made ? *std::move(made) : rules();
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

/// The diagnostics of a robots.txt, at most 100 of each code, in the order of the file, and the meaning of each line.
/// Move-only; crawler::lint creates it.
class lint_report : public detail::sequence<lint_report> {
public:
    /// Takes ownership of a handle from the C functions.
    [[nodiscard]] static lint_report adopt(robots_lint_report *handle) noexcept { return lint_report(handle); }
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
    /// Returns the meanings of all lines; index 0 is line 1.
    [[nodiscard]] auto lines() const noexcept { return list<meaning, robots_lint_report, &lint_report::line_at>(handle_.get()); }
    /// Returns a line, from 1. Throws robots::error for a number out of range.
    [[nodiscard]] meaning line(std::size_t number) const { return line_at(handle_.get(), number - 1).value(); }
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
    friend class detail::sequence<lint_report>;
    static expected<diagnostic> at(const robots_lint_report *report, std::size_t index) noexcept
    {
        return detail::element(robots_lint_report_get, report, index, [](const robots_lint_diagnostic &found) {
            return diagnostic{found.code,       found.severity,  found.line,    found.column,
                              found.other_line, found.start,     found.end,     detail::view(found.message),
                              detail::view(found.suggestion),
                              found.fix,        found.fix_start, found.fix_end, detail::view(found.fix_replacement)};
        });
    }
    static expected<meaning> line_at(const robots_lint_report *report, std::size_t index) noexcept
    {
        return detail::element(robots_lint_report_line, report, index + 1, [](const robots_lint_line &line) {
            return meaning{line.kind, line.group, line.start, line.end, detail::view(line.field), detail::view(line.value)};
        });
    }
    [[nodiscard]] auto elements() const noexcept { return list<diagnostic, robots_lint_report, &lint_report::at>(handle_.get()); }
    [[nodiscard]] robots_lint_counts counts() const noexcept
    {
        return detail::parts(robots_lint_report_count, static_cast<const robots_lint_report *>(handle_.get()));
    }
    [[nodiscard]] static robots_lint_meaning meaning_of(std::uint32_t code) noexcept
    {
        robots_lint_meaning found{};
        found.size = sizeof found;
        static_cast<void>(robots_lint_code(code, &found));
        return found;
    }

    explicit lint_report(robots_lint_report *made) noexcept : handle_(made) {}

    detail::owned<robots_lint_report, robots_lint_report_free> handle_;
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
        match_result result;
    };

    explanation() noexcept = default;
    /// Takes ownership of a handle from the C functions.
    [[nodiscard]] static explanation adopt(robots_explanation *handle) noexcept { return explanation(handle); }

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
    /// Returns the canonical form of path and query. Rules are matched with this form.
    [[nodiscard]] std::string_view path() const noexcept { return detail::view(parts().path); }
    /// Returns the product token that selected the groups, "*" for the `*` groups, or an empty string for no group.
    [[nodiscard]] std::string_view token() const noexcept
    {
        return detail::view(parts().token);
    }
    /// Returns the user-agent lines that select the groups.
    [[nodiscard]] auto agents() const noexcept { return list<line, robots_explanation, &explanation::agent_at>(get()); }
    /// Returns the rules that match, in order of priority.
    [[nodiscard]] auto matches() const noexcept { return list<rule, robots_explanation, &explanation::match_at>(get()); }
    /// Returns the explanation as lines for a terminal.
    [[nodiscard]] std::string_view text() const noexcept { return detail::view(parts().text); }

    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    explicit explanation(robots_explanation *made) noexcept : handle_(made) {}
    static expected<line> agent_at(const robots_explanation *why, std::size_t index) noexcept
    {
        return detail::element(robots_explanation_agent, why, index,
                               [](const auto &one) { return line{detail::view(one.text), one.line}; });
    }
    static expected<rule> match_at(const robots_explanation *why, std::size_t index) noexcept
    {
        return detail::element(robots_explanation_rule, why, index, [](const auto &one) {
            return rule{detail::view(one.text), detail::view(one.path), detail::view(one.pattern),
                        one.line,               one.allow != 0,         static_cast<match_result>(one.result)};
        });
    }
    [[nodiscard]] const robots_explanation *get() const noexcept { return handle_.get(); }
    [[nodiscard]] robots_explained parts() const noexcept { return detail::parts(robots_explanation_get, get()); }

    detail::owned<robots_explanation, robots_explanation_free> handle_;
};

/// The extension lines of a robots.txt, in the order of the file. Move-only; crawler::extensions creates it.
class extensions : public detail::sequence<extensions> {
public:
    struct line {
        extension_field field;
        std::string_view value;
        std::uint32_t number;   ///< number from 1
        bool in_group;          ///< true in a group that applies to the crawler, false outside all groups
        std::uint32_t requests; ///< number of requests allowed in `seconds`; 0 for another field or an invalid request-rate
        std::uint32_t seconds;  ///< period of the request-rate in seconds
        std::uint32_t from;     ///< start in minutes after midnight UTC
        std::uint32_t until;    ///< end in minutes after midnight UTC; 0 if no time is given
    };

    extensions() noexcept = default;
    /// Takes ownership of a handle from the C functions.
    [[nodiscard]] static extensions adopt(robots_extensions *handle) noexcept { return extensions(handle); }

private:
    friend class detail::sequence<extensions>;
    explicit extensions(robots_extensions *made) noexcept : handle_(made) {}
    static expected<line> at(const robots_extensions *lines, std::size_t index) noexcept
    {
        return detail::element(robots_extensions_line, lines, index, [](const robots_extension &one) {
            return line{static_cast<extension_field>(one.field), detail::view(one.value), one.line, one.in_group != 0,
                        one.requests, one.seconds, one.from, one.until};
        });
    }
    [[nodiscard]] auto elements() const noexcept { return list<line, robots_extensions, &extensions::at>(handle_.get()); }

    detail::owned<robots_extensions, robots_extensions_free> handle_;
};

/// A crawler: product tokens, dialect, limits and fetch policy. Set it up in one thread; then any number of threads may
/// use it. Move-only.
class crawler {
public:
    /// Creates a crawler with the bare product token, such as "ExampleBot". Throws robots::error for any other text. For a
    /// token that only koster1996 permits, start with without_token(), set the dialect, then add the token.
    explicit crawler(std::string_view token)
    {
        robots_crawler *made = nullptr;
        detail::require_token(robots_crawler_new(token.data(), token.size(), &made), token);
        handle_.reset(made);
    }
    [[nodiscard]] static expected<crawler> try_make(std::string_view token) noexcept
    {
        return detail::made_by<crawler, robots_crawler>(
            [&](robots_crawler **out) { return robots_crawler_new(token.data(), token.size(), out); });
    }

    /// Creates a crawler without a product token, to which only the `*` groups apply.
    [[nodiscard]] static crawler without_token() { return try_make("*").value(); }

    /// Creates a crawler with the published settings of a well-known crawler, such as "Googlebot-Image". Throws
    /// robots::error for an unknown name.
    [[nodiscard]] static crawler preset(std::string_view name)
    {
        expected<crawler> made = try_preset(name);
        if (made.status() == ROBOTS_E_TOKEN)
            detail::fail(error(ROBOTS_E_TOKEN, "no preset has the name `" + detail::shown(name) +
                                                   "`: `robots crawlers` lists them; or create the crawler with its product token"));
        return std::move(made).value();
    }
    /// As preset(); the status for an unknown name is ROBOTS_E_TOKEN.
    [[nodiscard]] static expected<crawler> try_preset(std::string_view name) noexcept
    {
        return detail::made_by<crawler, robots_crawler>(
            [&](robots_crawler **out) { return robots_crawler_preset(name.data(), name.size(), out); });
    }
    /// Takes ownership of a handle from the C functions.
    [[nodiscard]] static crawler adopt(robots_crawler *handle) noexcept { return crawler(handle); }

    /// Returns the product token in a User-Agent header, as a part of `header`. Throws robots::error if there is none.
    [[nodiscard]] static std::string_view token_from_user_agent(std::string_view header)
    {
        return try_token_from_user_agent(header).value();
    }
    [[nodiscard]] static expected<std::string_view> try_token_from_user_agent(std::string_view header) noexcept
    {
        robots_str token{};
        const robots_status status = robots_token_from_user_agent(header.data(), header.size(), &token);
        if (status != ROBOTS_OK)
            return status;
        return detail::view(token);
    }

    /// Adds a token, which applies if no group names an earlier token.
    crawler &add_token(std::string_view token)
    {
        detail::require_token(try_add_token(token), token);
        return *this;
    }
    [[nodiscard]] robots_status try_add_token(std::string_view token) noexcept
    {
        return robots_crawler_add_token(handle_.get(), token.data(), token.size());
    }
    /// Adds each name in a text as a token. The text may be a User-Agent header or the name in a user-agent line.
    crawler &add_names_in(std::string_view text)
    {
        detail::require(try_add_names_in(text));
        return *this;
    }
    [[nodiscard]] robots_status try_add_names_in(std::string_view text) noexcept
    {
        return robots_crawler_add_names_in(handle_.get(), text.data(), text.size());
    }
    /// Sets an option (`ROBOTS_OPT_...`).
    crawler &set(std::uint32_t option, std::uint64_t value)
    {
        detail::require(try_set(option, value));
        return *this;
    }
    [[nodiscard]] robots_status try_set(std::uint32_t option, std::uint64_t value) noexcept
    {
        return robots_crawler_set(handle_.get(), option, value);
    }
    // Generated by `make api` from src: setters. DO NOT EDIT.
    /// Sets the dialect; default: rfc9309.
    crawler &dialect(robots::dialect value) { return set(ROBOTS_OPT_DIALECT, static_cast<std::uint64_t>(value)); }
    /// Sets how many bytes of a robots.txt are read (SPEC 4.5): 512,000 to 1,073,741,824; default: 512,000.
    crawler &max_bytes(std::uint64_t value) { return set(ROBOTS_OPT_MAX_BYTES, value); }
    /// Sets whether the crawler obeys only groups that name the crawler, and no `*` groups, as AdsBot-Google does (SPEC
    /// 7.5); default: false.
    crawler &ignore_star(bool on) { return set(ROBOTS_OPT_IGNORE_STAR, on ? 1 : 0); }
    /// Sets whether the crawler obeys the groups of all product tokens together, as Google's matcher does (SPEC 7.7).
    /// Otherwise only the groups of the first token that the file names are obeyed; default: false.
    crawler &merge_tokens(bool on) { return set(ROBOTS_OPT_MERGE_TOKENS, on ? 1 : 0); }
    /// Sets whether the crawler lets a crawl-delay line end a run of user-agent lines, as a rule does (SPEC 6.1);
    /// default: false.
    crawler &crawl_delay_ends_agents(bool on) { return set(ROBOTS_OPT_CRAWL_DELAY_ENDS_AGENTS, on ? 1 : 0); }
    /// Sets whether the crawler lets lint report every code, also codes that are off by default; default: false.
    crawler &lint_all(bool on) { return set(ROBOTS_OPT_LINT_ALL, on ? 1 : 0); }
    // End of setters.

    /// Parses a robots.txt without content coding. The content of the file is never an error. If the body is still
    /// compressed, every check returns reason::unreachable, except in google (SPEC 4.4). If the body is the address
    /// of a file in place of its content, every check returns ROBOTS_E_ARG (SPEC 4.7).
    [[nodiscard]] rules parse(std::string_view body) const { return try_parse(body).value(); }
    [[nodiscard]] expected<rules> try_parse(std::string_view body) const noexcept
    {
        return detail::made_by<rules, robots_rules>([&](robots_rules **out) {
            return robots_rules_parse(handle_.get(), body.data(), body.size(), out);
        });
    }
    /// Checks one URL with a robots.txt and keeps nothing. A verdict with an error allows nothing.
    [[nodiscard]] verdict check_once(std::string_view body, std::string_view url) const noexcept
    {
        return verdict(robots_check_once(handle_.get(), body.data(), body.size(), url.data(), url.size()));
    }

    /// Checks a robots.txt for its author; see robots::lint_report.
    [[nodiscard]] lint_report lint(std::string_view body) const { return try_lint(body).value(); }
    [[nodiscard]] expected<lint_report> try_lint(std::string_view body) const noexcept
    {
        return detail::made_by<lint_report, robots_lint_report>(
            [&](robots_lint_report **out) { return robots_lint(handle_.get(), body.data(), body.size(), out); });
    }
    /// Explains the verdict on a file and a URL. Throws robots::error if `url` is not a URL.
    [[nodiscard]] explanation explain(std::string_view body, std::string_view url) const
    {
        return try_explain(body, url).value();
    }
    [[nodiscard]] expected<explanation> try_explain(std::string_view body, std::string_view url) const noexcept
    {
        return detail::made_by<explanation, robots_explanation>([&](robots_explanation **out) {
            return robots_rules_explain(handle_.get(), body.data(), body.size(), url.data(), url.size(), out);
        });
    }
    /// Parses the extension lines of a file. The content of the file is never an error.
    [[nodiscard]] robots::extensions extensions(std::string_view body) const { return try_extensions(body).value(); }
    [[nodiscard]] expected<robots::extensions> try_extensions(std::string_view body) const noexcept
    {
        return detail::made_by<robots::extensions, robots_extensions>([&](robots_extensions **out) {
            return robots_extensions_parse(handle_.get(), body.data(), body.size(), out);
        });
    }

    /// Returns the handle for the C functions, which need no exceptions; this object keeps it.
    [[nodiscard]] const robots_crawler *get() const noexcept { return handle_.get(); }
    [[nodiscard]] robots_crawler *get() noexcept { return handle_.get(); }

private:
    explicit crawler(robots_crawler *made) noexcept : handle_(made) {}

    detail::owned<robots_crawler, robots_crawler_free> handle_;
};

/// The kind of an outcome.
enum class outcome_kind : std::uint8_t {
    rules = ROBOTS_OUTCOME_RULES,
    allow_all = ROBOTS_OUTCOME_ALLOW_ALL,
    disallow_all = ROBOTS_OUTCOME_DISALLOW_ALL,
    defer = ROBOTS_OUTCOME_DEFER,
    unreachable = ROBOTS_OUTCOME_UNREACHABLE
};

/// The step of a fetch: the event that the fetch waits for.
enum class fetch_step : std::uint32_t {
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
    [[nodiscard]] static expected<origin> try_from_url(std::string_view url)
    {
        origin made;
        const robots_status status = made.read(url);
        return status == ROBOTS_OK ? expected<origin>(std::move(made)) : expected<origin>(status);
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

/// Returns the form of a URL to check and then send. Every client sends the form byte for byte (SPEC 8.11). It is an error
/// if `url` is not an absolute http, https or ftp URL, or if path and query exceed 64 KiB in the form.
[[nodiscard]] inline expected<std::string> try_url_to_send(std::string_view url)
{
    std::string form(url.size() + 16, '\0');
    std::size_t len = 0;
    robots_status status = robots_url_to_send(url.data(), url.size(), &form[0], form.size(), &len);
    form.resize(len);
    if (status == ROBOTS_E_SPACE)
        status = robots_url_to_send(url.data(), url.size(), &form[0], len, &len);
    return status == ROBOTS_OK ? expected<std::string>(std::move(form)) : expected<std::string>(status);
}
[[nodiscard]] inline std::string url_to_send(std::string_view url) { return try_url_to_send(url).value(); }

/// The result of fetching a robots.txt. Immutable and move-only; use std::shared_ptr to share it. Any number of threads may
/// use one object. A default-constructed or moved-from object defers every URL.
class outcome {
public:
    outcome() noexcept = default;

    /// Creates the outcome of a whole response. Throws robots::error if `url` is not an absolute URL.
    [[nodiscard]] static outcome from_status(const crawler &who, std::string_view url, std::uint32_t status,
                                             std::string_view body, instant now)
    {
        return try_from_status(who, url, status, body, now).value();
    }
    [[nodiscard]] static expected<outcome> try_from_status(const crawler &who, std::string_view url, std::uint32_t status,
                                                           std::string_view body, instant now) noexcept
    {
        return detail::made_by<outcome, robots_outcome>([&](robots_outcome **out) {
            return robots_outcome_from_status(who.get(), url.data(), url.size(), status, body.data(), body.size(), now.ms(), out);
        });
    }
    /// Creates an outcome from a record of encode(), for the same crawlers in the same order. Throws robots::error for a
    /// damaged record.
    [[nodiscard]] static outcome decode(span<const robots_crawler *const> crawlers, std::string_view record)
    {
        return try_decode(crawlers, record).value();
    }
    [[nodiscard]] static expected<outcome> try_decode(span<const robots_crawler *const> crawlers, std::string_view record) noexcept
    {
        return detail::made_by<outcome, robots_outcome>([&](robots_outcome **out) {
            return robots_outcome_decode(crawlers.data(), crawlers.size(), record.data(), record.size(), out);
        });
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
    [[nodiscard]] time_point fresh_until() const noexcept { return detail::time_of(info().fresh_until_ms); }
    [[nodiscard]] time_point usable_until() const noexcept { return detail::time_of(info().usable_until_ms); }
    [[nodiscard]] time_point retry_at() const noexcept { return detail::time_of(info().retry_at_ms); }
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
    [[nodiscard]] verdict try_check(std::string_view url, instant now, std::size_t crawler = 0) const noexcept
    {
        return verdict(robots_outcome_check(handle_.get(), crawler, url.data(), url.size(), now.ms()));
    }
    /// Checks a URL with a record of encode() or of a cache, in place, for processes that share memory.
    [[nodiscard]] static verdict check_record(std::string_view record, std::string_view url, instant now,
                                              std::size_t crawler = 0) noexcept
    {
        return verdict(robots_record_check(record.data(), record.size(), crawler, url.data(), url.size(), now.ms()));
    }
    [[nodiscard]] bool allowed(std::string_view url, instant now, std::size_t crawler = 0) const noexcept
    {
        return try_check(url, now, crawler).allowed();
    }
    /// Returns the outcome as bytes, to be stored or sent; valid as long as this outcome.
    [[nodiscard]] std::string_view encode() const { return try_encode().value(); }
    [[nodiscard]] expected<std::string_view> try_encode() const noexcept
    {
        robots_str record = {nullptr, 0};
        const robots_status status = robots_outcome_encode(handle_.get(), &record);
        if (status != ROBOTS_OK)
            return status;
        return detail::view(record);
    }

    /// Returns the handle for the C functions; this object keeps it.
    [[nodiscard]] const robots_outcome *get() const noexcept { return handle_.get(); }
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    detail::owned<robots_outcome, robots_outcome_free> handle_;
};

/// One retrieval of a robots.txt: a state machine without I/O. step() returns the event that the fetch waits for; report
/// what the HTTP client received. An event at the wrong step throws robots::error and changes nothing. Move-only; one thread at a
/// time.
class fetch {
public:
    /// Starts the retrieval for any URL of the site. Throws robots::error for a scheme without robots.txt.
    fetch(const crawler &who, std::string_view url, instant now) : fetch(try_make(who, url, now).value()) {}
    [[nodiscard]] static expected<fetch> try_make(const crawler &who, std::string_view url, instant now) noexcept
    {
        return detail::made_by<fetch, robots_fetch>(
            [&](robots_fetch **out) { return robots_fetch_new(who.get(), url.data(), url.size(), now.ms(), out); });
    }
    /// Takes ownership of a handle from the C functions.
    [[nodiscard]] static fetch adopt(robots_fetch *handle) noexcept { return fetch(handle); }

    /// Adds a crawler. Call add_crawler() and set_previous() before the first event, in this order.
    fetch &add_crawler(const crawler &who) { return report(try_add_crawler(who)); }
    [[nodiscard]] robots_status try_add_crawler(const crawler &who) noexcept
    {
        return robots_fetch_add_crawler(handle_.get(), who.get());
    }
    fetch &set_previous(const outcome &previous) { return report(try_set_previous(previous)); }
    [[nodiscard]] robots_status try_set_previous(const outcome &previous) noexcept
    {
        return robots_fetch_set_previous(handle_.get(), previous.get());
    }
    /// Sets an option of the fetch policy (`ROBOTS_OPT_...`) for this fetch alone.
    fetch &set(std::uint32_t option, std::uint64_t value) { return report(try_set(option, value)); }
    [[nodiscard]] robots_status try_set(std::uint32_t option, std::uint64_t value) noexcept
    {
        return robots_fetch_set(handle_.get(), option, value);
    }

    [[nodiscard]] fetch_step step() const noexcept
    {
        return static_cast<fetch_step>(robots_fetch_step(handle_.get()));
    }
    /// Returns the URL to request. The URL and the headers to send are valid until the next event.
    [[nodiscard]] std::string_view url() const noexcept { return detail::view(robots_fetch_url(handle_.get())); }
    /// Returns the headers to send with the request: pairs of a name and a value.
    [[nodiscard]] auto request_headers() const noexcept
    {
        return list<header_line, robots_fetch, &fetch::request_header_at>(handle_.get());
    }

    fetch &report_status(std::uint32_t number, instant now) { return report(try_report_status(number, now)); }
    /// Reports the final reply of an FTP server instead of a status.
    fetch &report_ftp_reply(std::uint32_t number, instant now) { return report(try_report_ftp_reply(number, now)); }
    fetch &report_header(std::string_view name, std::string_view value)
    {
        return report(try_report_header(name, value));
    }
    fetch &report_headers_end() { return report(try_report_headers_end()); }
    fetch &report_body(std::string_view piece) { return report(try_report_body(piece)); }
    /// Reports the end of a transfer, complete (failure::none) or failed, once after each transfer, at any step.
    fetch &report_end(failure why, instant now) { return report(try_report_end(why, now)); }

    /// Reports a status. In C callbacks, which no exception may leave, report events by the try_... functions.
    [[nodiscard]] robots_status try_report_status(std::uint32_t number, instant now) noexcept
    {
        return robots_fetch_report_status(handle_.get(), number, now.ms());
    }
    [[nodiscard]] robots_status try_report_ftp_reply(std::uint32_t number, instant now) noexcept
    {
        return robots_fetch_report_ftp_reply(handle_.get(), number, now.ms());
    }
    [[nodiscard]] robots_status try_report_header(std::string_view name, std::string_view value) noexcept
    {
        return robots_fetch_report_header(handle_.get(), name.data(), name.size(), value.data(), value.size());
    }
    [[nodiscard]] robots_status try_report_headers_end() noexcept { return robots_fetch_report_headers_end(handle_.get()); }
    [[nodiscard]] robots_status try_report_body(std::string_view piece) noexcept
    {
        return robots_fetch_report_body(handle_.get(), piece.data(), piece.size());
    }
    [[nodiscard]] robots_status try_report_end(failure why, instant now) noexcept
    {
        return robots_fetch_report_end(handle_.get(), static_cast<std::uint32_t>(why), now.ms());
    }

    /// Runs the fetch to its outcome. `client` is a function that receives a robots::transfer &: it sends one GET, reports the
    /// response, and returns the failure or failure::none. A response without headers_end() is always a failure.
    template <class Client> robots::outcome run(Client &&client, clock now = detail::now) { return try_run(client, now).value(); }
    template <class Client> [[nodiscard]] expected<robots::outcome> try_run(Client &&client, clock now = detail::now);

    /// Returns the outcome; throws robots::error if the fetch is not done.
    [[nodiscard]] robots::outcome outcome() const { return try_outcome().value(); }
    [[nodiscard]] expected<robots::outcome> try_outcome() const noexcept
    {
        return detail::made_by<robots::outcome, robots_outcome>(
            [&](robots_outcome **out) { return robots_fetch_outcome(handle_.get(), out); });
    }

    /// Returns the handle for the C functions, which need no exceptions; this object keeps it.
    [[nodiscard]] robots_fetch *get() noexcept { return handle_.get(); }

private:
    using header_line = std::pair<std::string_view, std::string_view>;

    explicit fetch(robots_fetch *made) noexcept : handle_(made) {}
    static expected<header_line> request_header_at(const robots_fetch *fetch, std::size_t index) noexcept
    {
        return detail::element(robots_fetch_request_header, fetch, index, [](const auto &one) {
            return header_line(detail::view(one.name), detail::view(one.value));
        });
    }
    fetch &report(robots_status status)
    {
        detail::require(status);
        return *this;
    }

    detail::owned<robots_fetch, robots_fetch_free> handle_;
};

/// One request of fetch::run(), and the response, which the HTTP client reports. Each function that reports returns whether the
/// fetch needs more of the response. If it returns false, end the transfer; the failure that the client then returns has no
/// effect. The functions do not throw, so C callbacks may call them. run() throws the first error, such as a call in the
/// wrong order.
class transfer {
public:
    /// Returns the URL to request. Follow no redirect.
    [[nodiscard]] std::string_view url() const noexcept { return fetch_.url(); }
    /// Returns the headers to send: pairs of a name and a value. Add `Accept-Encoding: identity`; the fetch decodes gzip.
    [[nodiscard]] auto request_headers() const noexcept { return fetch_.request_headers(); }
    /// Reports the status of the final response, not one of 100 to 199.
    bool status(std::uint32_t number) noexcept { return ended_ ? wants_body() : keep(fetch_.try_report_status(number, now_())); }
    /// Reports a header; white space around the value is ignored. After headers_end() it is a trailer, which has no effect.
    bool header(std::string_view name, std::string_view value) noexcept
    {
        return ended_ ? wants_body() : keep(fetch_.try_report_header(name, value));
    }
    /// Reports the empty line after the headers. Call it only if the line came: libcurl returns CURLE_OK even for a response
    /// that is cut before the line.
    bool headers_end() noexcept
    {
        ended_ = ended_ || keep(fetch_.try_report_headers_end());
        return wants_body();
    }
    /// Reports a piece of the body, as it came.
    bool body(std::string_view piece) noexcept
    {
        return (wants_body() || !ended_) && keep(fetch_.try_report_body(piece)) && wants_body();
    }

private:
    friend class fetch;
    transfer(fetch &of, clock now) noexcept : fetch_(of), now_(now) {}
    bool keep(robots_status status) noexcept { return (error_ = error_ == ROBOTS_OK ? status : error_) == ROBOTS_OK; }
    bool wants_body() const noexcept { return ended_ && fetch_.step() == fetch_step::body; }

    fetch &fetch_;
    clock now_;
    robots_status error_ = ROBOTS_OK;
    bool ended_ = false;
};

template <class Client>
expected<outcome> fetch::try_run(Client &&client, clock now)
{
    while (step() == fetch_step::get) {
        transfer one(*this, now);
        const failure why = client(one);
        const failure cut = one.ended_ ? failure::none : failure::other; // a client may return none for a cut response
        if (!one.keep(try_report_end(why == failure::none ? cut : why, now())))
            return one.error_;
    }
    return try_outcome();
}

/// The exclusive right to fetch an origin's robots.txt. The destructor returns it to the cache. Move-only.
class ticket {
public:
    ticket() noexcept = default;

    /// Returns the key of the origin, such as "https://example.com"; valid until finish().
    [[nodiscard]] std::string_view origin() const noexcept { return detail::view(robots_ticket_origin(handle_.get())); }
    /// Starts the retrieval for all crawlers of the cache. The fetch does not need the ticket, but finish() does.
    [[nodiscard]] robots::fetch fetch(instant now) const { return try_fetch(now).value(); }
    [[nodiscard]] expected<robots::fetch> try_fetch(instant now) const noexcept
    {
        return detail::made_by<robots::fetch, robots_fetch>(
            [&](robots_fetch **out) { return robots_ticket_fetch(handle_.get(), now.ms(), out); });
    }
    /// Fetches the robots.txt as fetch::run() does, submits the outcome and returns it.
    template <class Client> robots::outcome retrieve(Client &&client, clock now = detail::now)
    {
        return try_retrieve(client, now).value();
    }
    template <class Client> [[nodiscard]] expected<robots::outcome> try_retrieve(Client &&client, clock now = detail::now)
    {
        auto fetch = try_fetch(now());
        auto found = fetch ? fetch->try_run(client, now) : expected<robots::outcome>(fetch.status());
        const robots_status status = found ? try_finish(*found, now()) : ROBOTS_OK;
        return status == ROBOTS_OK ? std::move(found) : expected<robots::outcome>(status);
    }
    /// Submits the outcome, once. Throws robots::error for another site, or if the outcome does not fit into the cache.
    void finish(const outcome &found, instant now) { detail::require(try_finish(found, now)); }
    /// Submits the outcome and returns the status.
    [[nodiscard]] robots_status try_finish(const outcome &found, instant now) noexcept
    {
        return robots_ticket_finish(handle_.get(), found.get(), now.ms());
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
    detail::owned<robots_ticket, robots_ticket_free> handle_;
};

/// What the crawler does next with a URL.
enum class action : std::uint32_t {
    decided = ROBOTS_CACHE_DECIDED,
    fetch = ROBOTS_CACHE_FETCH,
    wait = ROBOTS_CACHE_WAIT,
    defer = ROBOTS_CACHE_DEFER
};

/// The slot of a request: the time to send it. cache::request() returns a slot; a default-constructed object is no slot.
class slot {
public:
    slot() noexcept = default;
    /// Creates a slot from an answer of the C functions. request() ignores a slot of another URL or of no answer.
    explicit slot(robots_slot raw) noexcept : raw_(raw) {}

    /// Returns whether this object is a slot.
    [[nodiscard]] explicit operator bool() const noexcept { return raw_.at_ms != 0; }
    /// Returns the time to send the request.
    [[nodiscard]] time_point at() const noexcept { return detail::time_of(raw_.at_ms); }
    /// Returns whether to send the request. `now`: the time of the request() that returned the slot. At a later time call
    /// request() again with the slot, because other threads may have sent requests in the meantime.
    [[nodiscard]] bool due(instant now) const noexcept { return raw_.at_ms != 0 && raw_.at_ms <= now.ms(); }
    [[nodiscard]] robots_slot get() const noexcept { return raw_; }

private:
    robots_slot raw_ = {0};
};

/// The answer of a cache. Move-only, as its ticket.
struct cache_answer {
    /// Verdict, which allows the URL only with action::decided.
    robots::verdict verdict;
    robots::action action = robots::action::defer;
    /// Time of the next check for defer; for wait, the expiry of the ticket of another thread; else the year 1970.
    time_point until{};
    /// Slot from request(), even if the slot is too late to be reserved.
    robots::slot slot;
    /// Delay from the slot to the next slot of the site; 0 without a slot.
    std::chrono::milliseconds crawl_delay{0};
    /// True if the file states a longer crawl-delay than `crawl_delay`. Only request() sets it.
    bool crawl_delay_cut = false;
    /// Ticket: action::fetch always has a ticket, action::decided may have one.
    robots::ticket ticket;
};

/// The outcomes of many sites in a limited amount of memory. Move-only; any number of threads may use one object.
class cache {
public:
    /// Creates a cache of at most `max_bytes` bytes for a crawler, which is copied.
    cache(const crawler &who, std::size_t max_bytes) : cache(try_make(who, max_bytes).value()) {}
    [[nodiscard]] static expected<cache> try_make(const crawler &who, std::size_t max_bytes) noexcept
    {
        return detail::made_by<cache, robots_cache>(
            [&](robots_cache **out) { return robots_cache_new(who.get(), max_bytes, out); });
    }
    /// Takes ownership of a handle from the C functions.
    [[nodiscard]] static cache adopt(robots_cache *handle) noexcept { return cache(handle); }

    /// Adds a crawler with the next index. Call it before the cache is used.
    cache &add_crawler(const crawler &who)
    {
        detail::require(try_add_crawler(who));
        return *this;
    }
    [[nodiscard]] robots_status try_add_crawler(const crawler &who) noexcept
    {
        return robots_cache_add_crawler(handle_.get(), who.get());
    }
    /// Sets an option (`ROBOTS_CACHE_OPT_...`). Call it before the cache is used.
    cache &set(std::uint32_t option, std::uint64_t value)
    {
        detail::require(try_set(option, value));
        return *this;
    }
    [[nodiscard]] robots_status try_set(std::uint32_t option, std::uint64_t value) noexcept
    {
        return robots_cache_set(handle_.get(), option, value);
    }
    /// Sets the validity of a ticket: 1 s to 24 h; default: 120 s.
    cache &ticket_ttl(std::chrono::seconds time) { return set(ROBOTS_CACHE_OPT_TICKET_TTL_MS, time); }
    /// Sets the delay for a file without a crawl-delay: 0 to 24 h; default: 0.
    cache &default_delay(std::chrono::milliseconds time) { return set(ROBOTS_CACHE_OPT_DEFAULT_DELAY_MS, time); }
    /// Sets the upper bound on an obeyed crawl-delay: 0 to 24 h; default: 60 s.
    cache &max_delay(std::chrono::milliseconds time) { return set(ROBOTS_CACHE_OPT_MAX_DELAY_MS, time); }
    /// Sets how far ahead request() reserves a slot: 0 to 24 h; default: 60 s. With 0, a URL with a later slot is deferred.
    cache &horizon(std::chrono::milliseconds time) { return set(ROBOTS_CACHE_OPT_HORIZON_MS, time); }

    /// Checks an absolute URL.
    [[nodiscard]] cache_answer check(std::string_view url, instant now, std::size_t crawler = 0) const noexcept
    {
        return ask(robots_cache_check, url, crawler, now.ms());
    }
    /// Checks an absolute URL that is about to be requested, and reserves its slot. If the slot is due, send the request
    /// now. Otherwise sleep until the slot and call again with it. `held`: the slot of the last answer for this URL; `{}`
    /// in the first call.
    [[nodiscard]] cache_answer request(std::string_view url, slot held, instant now, std::size_t crawler = 0) const noexcept
    {
        return ask(robots_cache_request, url, crawler, held.get(), now.ms());
    }
    /// After action::wait, waits for at most `timeout` until no other thread fetches the robots.txt of the site. Returns the
    /// status. Then check the URL again.
    robots_status wait(std::string_view url, std::chrono::milliseconds timeout) const noexcept
    {
        const std::uint64_t ms = timeout.count() > 0 ? static_cast<std::uint64_t>(timeout.count()) : 0;
        return robots_cache_wait(handle_.get(), url.data(), url.size(), ms);
    }
    /// Reports the response to a page and returns the status. The crawl-delay counts from the response. After 429 or 503
    /// no slot of the site is earlier than the time in `value`, the `Retry-After` of the response.
    robots_status report_response(std::string_view url, std::uint32_t http_status, std::string_view value,
                              instant now) const noexcept
    {
        return robots_cache_report_response(handle_.get(), url.data(), url.size(), http_status, value.data(), value.size(),
                                        now.ms());
    }

    /// Returns a site's outcome in the cache, for example to read its sitemaps; empty if the cache has none. Throws
    /// robots::error if `url` is not an absolute URL.
    [[nodiscard]] robots::outcome outcome(std::string_view url) const { return try_outcome(url).value(); }
    [[nodiscard]] expected<robots::outcome> try_outcome(std::string_view url) const noexcept
    {
        return detail::made_by<robots::outcome, robots_outcome>([&](robots_outcome **out) {
            return robots_cache_outcome(handle_.get(), url.data(), url.size(), out);
        });
    }
    /// Removes the site of a URL; "*" removes all sites. Throws robots::error if `url` is not an absolute URL.
    void remove(std::string_view url) const { detail::require(try_remove(url)); }
    [[nodiscard]] robots_status try_remove(std::string_view url) const noexcept
    {
        return robots_cache_remove(handle_.get(), url.data(), url.size());
    }
    void clear() const noexcept { (void)try_remove("*"); }
    [[nodiscard]] std::size_t bytes() const noexcept { return counts().bytes; }
    [[nodiscard]] std::size_t count() const noexcept { return counts().sites; }
    /// Returns the counts of the cache.
    [[nodiscard]] robots_cache_counts counts() const noexcept
    {
        return detail::parts(robots_cache_count, static_cast<const robots_cache *>(handle_.get()));
    }

    /// Passes one record per site to `receive`, a function of a std::string_view that is valid during the call. `receive`
    /// may use this cache. An exception of `receive` ends the loop and is thrown again.
    template <class Receive>
    void each_record(Receive &&receive) const
    {
        detail::require(try_each_record(std::forward<Receive>(receive)));
    }
    /// As each_record(), but returns the status; only `receive` can throw.
    template <class Receive>
    [[nodiscard]] robots_status try_each_record(Receive &&receive) const
    {
        receiver<std::remove_reference_t<Receive>> with{receive};
        const robots_status status = robots_cache_each(handle_.get(), with.call, &with);
        with.rethrow();
        return status;
    }
    /// Imports a record and returns the status; continue with the next record after an error.
    [[nodiscard]] robots_status try_import(std::string_view record) const noexcept
    {
        return robots_cache_import(handle_.get(), record.data(), record.size());
    }
    /// Saves all records to a file, completely or not at all. Returns the status. Sets the numbers, or the error of the system.
    [[nodiscard]] robots_status try_save(std::string_view path, robots_cache_file &numbers) const noexcept
    {
        numbers = {};
        numbers.size = sizeof numbers;
        return robots_cache_save(handle_.get(), path.data(), path.size(), &numbers);
    }
    /// Imports the records of a saved file. Returns the status. Sets the numbers, or the error of the system.
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
    explicit cache(robots_cache *made) noexcept : handle_(made) {}

    cache &set(std::uint32_t option, std::chrono::milliseconds time)
    {
        return set(option, static_cast<std::uint64_t>(time.count()));
    }

    template <class Question, class... Times>
    [[nodiscard]] cache_answer ask(Question question, std::string_view url, std::size_t crawler, Times... times) const noexcept
    {
        robots_cache_answer raw = {};
        raw.size = sizeof raw;
        cache_answer answer;
        answer.verdict = robots::verdict(question(handle_.get(), crawler, url.data(), url.size(), times..., &raw));
        answer.action = static_cast<robots::action>(raw.action);
        answer.until = detail::time_of(raw.until_ms);
        answer.slot = robots::slot(raw.slot);
        answer.crawl_delay = std::chrono::milliseconds(raw.crawl_delay_ms);
        answer.crawl_delay_cut = raw.crawl_delay_cut != 0;
        answer.ticket = ticket::adopt(raw.ticket);
        return answer;
    }

    /// Calls a C++ function from C. No exception may pass through C, so it is stored and thrown again later.
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

/// What a response says: page-level controls, and statements about the use of its page. Move-only. An empty object permits nothing.
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
    explicit page_controls(const crawler &who) : page_controls(try_make(who).value()) {}
    [[nodiscard]] static expected<page_controls> try_make(const crawler &who) noexcept
    {
        return detail::made_by<page_controls, robots_page_controls>(
            [&](robots_page_controls **out) { return robots_page_controls_new(who.get(), out); });
    }
    /// Takes ownership of a handle from the C functions.
    [[nodiscard]] static page_controls adopt(robots_page_controls *handle) noexcept { return page_controls(handle); }

    /// Adds a header of the response, whatever its name: other headers than those of C have no effect. After an error every control is 0.
    page_controls &add_header(std::string_view name, std::string_view value)
    {
        detail::require(try_add_header(name, value));
        return *this;
    }
    [[nodiscard]] robots_status try_add_header(std::string_view name, std::string_view value) noexcept
    {
        return robots_page_controls_add_header(handle_.get(), name.data(), name.size(), value.data(), value.size());
    }
    /// Adds a `<meta>` element of the page. After an error every control is 0.
    page_controls &add_meta(std::string_view name, std::string_view content)
    {
        detail::require(try_add_meta(name, content));
        return *this;
    }
    [[nodiscard]] robots_status try_add_meta(std::string_view name, std::string_view content) noexcept
    {
        return robots_page_controls_add_meta(handle_.get(), name.data(), name.size(), content.data(), content.size());
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
    /// Returns the time after which the page may not be shown, if there is one.
    [[nodiscard]] std::optional<time_point> unavailable_after() const noexcept
    {
        const std::int64_t ms = value(control::unavailable_after);
        return ms < 0 ? std::nullopt : std::optional<time_point>(std::chrono::milliseconds(ms));
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
    /// Returns the unknown rules.
    [[nodiscard]] auto unknown_rules() const noexcept
    {
        return list<rule, robots_page_controls, &page_controls::unknown_at>(get());
    }

    /// Returns the handle for the C functions; this object keeps it.
    [[nodiscard]] const robots_page_controls *get() const noexcept { return handle_.get(); }

private:
    explicit page_controls(robots_page_controls *made) noexcept : handle_(made) {}
    static expected<rule> unknown_at(const robots_page_controls *page, std::size_t index) noexcept
    {
        return detail::element(robots_page_controls_unknown, page, index, shown);
    }
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

/// The purpose of a use.
enum class purpose : std::uint32_t {
    search = ROBOTS_PURPOSE_SEARCH,
    ai_search = ROBOTS_PURPOSE_AI_SEARCH,
    training = ROBOTS_PURPOSE_TRAINING,
    user_request = ROBOTS_PURPOSE_USER_REQUEST,
    commerce = ROBOTS_PURPOSE_COMMERCE,
    archive = ROBOTS_PURPOSE_ARCHIVE,
    seo = ROBOTS_PURPOSE_SEO,
    other = ROBOTS_PURPOSE_OTHER
};

/// Whether a page may be used for a purpose, the most restrictive first. `unstated` restricts nothing and permits nothing.
enum class use : std::uint32_t {
    denied = ROBOTS_USE_DENIED,
    licensed = ROBOTS_USE_LICENSED,
    allowed = ROBOTS_USE_ALLOWED,
    unstated = ROBOTS_USE_UNSTATED
};

/// The source of a signal about a use. Later versions may add sources.
enum class use_source : std::uint32_t {
    not_read = ROBOTS_USE_SOURCE_NOT_READ,
    rule = ROBOTS_USE_SOURCE_RULE,
    token_rule = ROBOTS_USE_SOURCE_TOKEN_RULE,
    content_usage_line = ROBOTS_USE_SOURCE_CONTENT_USAGE_LINE,
    content_signal_line = ROBOTS_USE_SOURCE_CONTENT_SIGNAL_LINE,
    license_line = ROBOTS_USE_SOURCE_LICENSE_LINE,
    content_usage_header = ROBOTS_USE_SOURCE_CONTENT_USAGE_HEADER,
    content_signal_header = ROBOTS_USE_SOURCE_CONTENT_SIGNAL_HEADER,
    link_header = ROBOTS_USE_SOURCE_LINK_HEADER,
    page_rule = ROBOTS_USE_SOURCE_PAGE_RULE,
    tdm_header = ROBOTS_USE_SOURCE_TDM_HEADER,
    tdm_meta = ROBOTS_USE_SOURCE_TDM_META,
    tdm_file = ROBOTS_USE_SOURCE_TDM_FILE
};

/// The answer for a URL and a purpose; `use::denied` if no call has returned it. The views are those of the uses and of the
/// page: they are valid until one of them is destroyed or a value is added to the page.
class use_answer {
public:
    /// What one statement says.
    struct signal {
        std::string_view text;  ///< text as written; the address of the terms if `says` is use::licensed
        std::string_view token; ///< policy or control token of a use_source::token_rule; else empty
        std::uint32_t line;     ///< line of the robots.txt, from 1; 0 for other sources
        use_source source;
        use says; ///< use::unstated for an unknown label or value, and for what was not read
    };

    /// Returns whether the page may be used.
    [[nodiscard]] use says() const noexcept { return says_; }
    /// Returns every signal that speaks of the purpose, the deciding one first and unknown labels last.
    [[nodiscard]] const std::vector<signal> &signals() const noexcept { return signals_; }
    /// Returns the signal that decides; nullptr if nothing is stated, and nothing was left unread.
    [[nodiscard]] const signal *decided_by() const noexcept { return decided_ ? signals_.data() : nullptr; }
    /// Returns the address of the terms if the answer is use::licensed, else an empty view. It may be relative to the page.
    [[nodiscard]] std::string_view terms() const noexcept
    {
        return says_ == use::licensed && decided_ ? signals_.front().text : std::string_view();
    }

private:
    friend class uses;
    use says_ = use::denied;
    bool decided_ = false;
    std::vector<signal> signals_;
};

/// What a site says about the use of its pages, to one crawler (SPEC 13). Immutable and move-only; any number of threads may use
/// one object. Empty if default-constructed or moved from: it answers nothing.
class uses {
public:
    uses() noexcept = default;
    /// Reads the files of a site. `site`: a URL of it; with an empty one, every URL is taken for one of the site. `body`: the
    /// robots.txt; empty if the site has none (404); nothing if it is not known, as in an outage: then no use is allowed.
    /// `tdm_file`: /.well-known/tdmrep.json; nothing if the site has none; empty if it is not known. Throws robots::error if
    /// `site` is no URL of a site.
    uses(const crawler &who, std::string_view site, std::optional<std::string_view> body,
         std::optional<std::string_view> tdm_file = std::nullopt)
        : uses(try_make(who, site, body, tdm_file).value())
    {
    }
    [[nodiscard]] static expected<uses> try_make(const crawler &who, std::string_view site, std::optional<std::string_view> body,
                                                 std::optional<std::string_view> tdm_file = std::nullopt) noexcept
    {
        const robots_str file = known(body), tdm = known(tdm_file);
        return detail::made_by<uses, robots_uses>([&](robots_uses **out) {
            return robots_uses_new(who.get(), site.data(), site.size(), file.ptr, file.len, tdm.ptr, tdm.len, out);
        });
    }
    /// Takes ownership of a handle from the C functions.
    [[nodiscard]] static uses adopt(robots_uses *handle) noexcept { return uses(handle); }

    /// Returns whether a page may be used, and each statement about it. `page`: what the response said to the same crawler;
    /// nullptr if it is not known: then the answer is never use::allowed. Throws robots::error if `url` is no URL of the site.
    [[nodiscard]] use_answer use_for(std::string_view url, robots::purpose purpose, const page_controls *page) const
    {
        return try_use_for(url, purpose, page).value();
    }
    [[nodiscard]] expected<use_answer> try_use_for(std::string_view url, robots::purpose purpose, const page_controls *page) const
    {
        std::vector<robots_use_signal> all(4);
        robots_use_answer raw = ROBOTS_USE_ANSWER_INIT;
        const auto ask = [&] {
            return robots_use_for(handle_.get(), url.data(), url.size(), static_cast<std::uint32_t>(purpose), handle_of(page),
                                  all.data(), all.size(), &raw);
        };
        robots_status status = ask();
        if (status == ROBOTS_OK && raw.signals > all.size()) {
            all.resize(raw.signals);
            status = ask();
        }
        if (status != ROBOTS_OK)
            return status;
        all.resize(raw.signals);
        use_answer answer;
        answer.says_ = static_cast<use>(raw.says);
        answer.decided_ = raw.decided != 0;
        answer.signals_.reserve(raw.signals);
        for (const robots_use_signal &one : all)
            answer.signals_.push_back({detail::view(one.text), detail::view(one.token), one.line,
                                       static_cast<use_source>(one.source), static_cast<use>(one.says)});
        return answer;
    }
    /// Returns the receipt of an answer (SPEC 13.7): one line of JSON without a line end. `fetched_at`: when the page was fetched.
    /// Throws robots::error if `url` is no absolute URL of the site in UTF-8.
    [[nodiscard]] std::string receipt(std::string_view url, robots::purpose purpose, const page_controls *page, instant fetched_at) const
    {
        return try_receipt(url, purpose, page, fetched_at).value();
    }
    [[nodiscard]] expected<std::string> try_receipt(std::string_view url, robots::purpose purpose, const page_controls *page,
                                                    instant fetched_at) const
    {
        std::string text(url.size() + 1000, '\0');
        std::size_t len = 0;
        const auto ask = [&] {
            return robots_use_receipt(handle_.get(), url.data(), url.size(), static_cast<std::uint32_t>(purpose), handle_of(page),
                                      fetched_at.ms(), &text[0], text.size(), &len);
        };
        robots_status status = ask();
        text.resize(len);
        if (status == ROBOTS_E_SPACE)
            status = ask();
        return status == ROBOTS_OK ? expected<std::string>(std::move(text)) : expected<std::string>(status);
    }

    /// Returns the handle for the C functions; this object keeps it.
    [[nodiscard]] const robots_uses *get() const noexcept { return handle_.get(); }
    [[nodiscard]] explicit operator bool() const noexcept { return handle_ != nullptr; }

private:
    explicit uses(robots_uses *made) noexcept : handle_(made) {}
    /// Returns a text of C, in which NULL is no text and not an empty one.
    static robots_str known(std::optional<std::string_view> text) noexcept
    {
        if (!text)
            return {nullptr, 0};
        return {text->empty() ? "" : text->data(), text->size()};
    }
    static const robots_page_controls *handle_of(const page_controls *page) noexcept
    {
        return page != nullptr ? page->get() : nullptr;
    }

    detail::owned<robots_uses, robots_uses_free> handle_;
};

/// Returns the version of the library, such as "0.1.0".
[[nodiscard]] inline std::string version()
{
    const std::uint32_t number = robots_version_number();
    return std::to_string(number / 1000000) + '.' + std::to_string(number / 1000 % 1000) + '.' + std::to_string(number % 1000);
}
/// Returns the version of the library as a number, to compare with ROBOTS_VERSION_NUMBER, the version of the headers.
[[nodiscard]] inline std::uint32_t version_number() noexcept { return robots_version_number(); }

} // inline namespace
} // namespace robots

#endif
