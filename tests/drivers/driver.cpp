// The driver for C++: README.md says what it reads and writes.
#include "names.h"
#include "options.h"
#include <librobots.hpp>

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <functional>
#include <iostream>
#include <iterator>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct field {
    std::string name, value;
};
using fields = std::vector<field>;
using words = std::vector<std::string>;

// --- lines ---------------------------------------------------------------------------------------------------------

std::string unescaped(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i < text.size(); i++) {
        if (text[i] == '%') {
            out += static_cast<char>(std::stoi(std::string(text.substr(i + 1, 2)), nullptr, 16));
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

std::string escaped(std::string_view text)
{
    const char *digits = "0123456789ABCDEF";
    std::string out;
    for (const char each : text) {
        const auto byte = static_cast<unsigned char>(each);
        if (byte > ' ' && byte < 127 && byte != '%')
            out += each;
        else
            out += std::string("%") + digits[byte >> 4] + digits[byte & 15];
    }
    return out;
}

// A word of an answer: one that is empty is `~`.
std::string word(std::string_view text)
{
    return (text.empty() || text == "~" ? "~" : "") + escaped(text);
}

std::vector<std::string_view> parts(std::string_view text, char between)
{
    std::vector<std::string_view> all;
    for (std::size_t at = 0; at <= text.size();) {
        const std::size_t end = std::min(text.find(between, at), text.size());
        all.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return all;
}

fields split(const std::string &line)
{
    fields all;
    for (const std::string_view part : parts(line, '\t')) {
        const std::size_t equals = part.find('=');
        all.push_back({std::string(part.substr(0, equals)), unescaped(part.substr(equals + 1))});
    }
    return all;
}

std::string find(const fields &all, const std::string &name)
{
    const auto found = std::find_if(all.begin(), all.end(), [&](const field &it) { return it.name == name; });
    return found == all.end() ? std::string() : found->value;
}

// --- names ---------------------------------------------------------------------------------------------------------

template <class Number>
std::string name_of(const char *const *list, Number value)
{
    auto number = static_cast<std::uint32_t>(value);
    while (*list != nullptr && number > 0)
        list++, number--;
    return *list != nullptr ? *list : "?";
}

// The number of a name; of one of the conformance suite without its `_`.
template <class Number>
Number number_of(const char *const *list, const std::string &name)
{
    for (std::uint32_t i = 0; list[i] != nullptr; i++) {
        std::string plain = list[i];
        plain.erase(std::remove(plain.begin(), plain.end(), '_'), plain.end());
        if (name == list[i] || name == plain)
            return static_cast<Number>(i);
    }
    throw std::runtime_error("no name: " + name);
}

// Other languages have no time in another unit, so what it is to them is an argument.
std::string error_of(robots_status status)
{
    return "error " + name_of(STATUSES, status == ROBOTS_E_TIME ? ROBOTS_E_ARG : status);
}

// Returns `ok`, or throws.
std::string ok(robots_status status = ROBOTS_OK)
{
    if (status != ROBOTS_OK)
        throw robots::error(status);
    return "ok";
}

// --- crawlers ------------------------------------------------------------------------------------------------------

// Splits `NAME:NUMBER`.
std::pair<std::string, std::uint64_t> setting(const std::string &text)
{
    const std::size_t colon = text.find(':');
    return {text.substr(0, colon), std::stoull(text.substr(colon + 1))};
}

// Sets an option, whose times are in seconds here.
void set_option(robots::crawler &crawler, const std::string &name, std::uint64_t value)
{
    for (const auto &row : option_rows) {
        if (name == row.name) {
            crawler.set(row.number, value * row.unit);
            return;
        }
    }
    throw std::runtime_error("tests/c/options.h lacks the option " + name + ": run `make api`");
}

// The crawler of some fields: its first token, its dialect, its options, its other tokens.
robots::crawler crawler_of(const fields &all)
{
    const std::string first = find(all, "agent");
    robots::crawler crawler = first == "*" ? robots::crawler::without_token() : robots::crawler(first);
    crawler.dialect(number_of<robots::dialect>(DIALECTS, find(all, "dialect")));
    for (const field &it : all) {
        if (it.name == "option") {
            const auto [name, value] = setting(it.value);
            set_option(crawler, name, value);
        }
    }
    bool is_first = true;
    for (const field &it : all) {
        if (it.name == "agent" && !std::exchange(is_first, false))
            crawler.add_token(it.value);
    }
    return crawler;
}

// --- rules ---------------------------------------------------------------------------------------------------------

std::string delay_of(const robots::rules &rules)
{
    const std::optional<double> delay = rules.crawl_delay();
    if (!delay)
        return "none";
    for (int digits = 1;; digits++) {
        std::ostringstream out;
        out.precision(digits);
        out << *delay;
        if (digits >= 17 || std::strtod(out.str().c_str(), nullptr) == *delay) {
            // In full, unless it is very long.
            if (out.str().find('e') == std::string::npos || *delay > 1e15 || *delay < 1e-5)
                return out.str();
            return std::to_string(static_cast<std::uint64_t>(*delay));
        }
    }
}

std::string verdict_word(robots::verdict verdict)
{
    if (verdict.status() != ROBOTS_OK)
        throw robots::error(verdict.status());
    const bool is_outage = verdict.reason() == robots::reason::unreachable || verdict.reason() == robots::reason::defer;
    return verdict.allowed() ? "allow" : is_outage ? "defer" : "deny";
}

// How a verdict stands in scripts.
std::string reasoned(robots::verdict verdict)
{
    return verdict_word(verdict) + ' ' + name_of(REASONS, verdict.reason()) + ' ' + std::to_string(verdict.line());
}

// check() throws what try_check() returns: the word is the same.
template <class Checks>
robots::verdict thrown_or_returned(const Checks &checks, std::string_view url)
{
    try {
        return checks.check(url);
    } catch (const robots::error &error) {
        return robots::verdict(robots_verdict{static_cast<std::uint64_t>(error.status()) << 16});
    }
}

class ways {
public:
    explicit ways(std::vector<std::string> urls) : urls_(std::move(urls)) {}

    void each(const std::string &name, const std::string &kind, const std::function<std::uint64_t(const std::string &)> &ask)
    {
        begin(name, kind);
        for (const std::string &url : urls_)
            out_ << (&url == urls_.data() ? "" : ",") << ask(url);
    }

    template <class Asked>
    void at_once(const std::string &name, const Asked &asked)
    {
        std::string text;
        std::vector<std::uint64_t> offsets{0};
        for (const std::string &url : urls_) {
            text += url;
            offsets.push_back(text.size());
        }
        std::vector<robots::batch_answer> answers(urls_.size());
        asked.check_batch(text, offsets, answers);
        begin(name, "batch");
        for (const robots::batch_answer &one : answers)
            out_ << (&one == answers.data() ? "" : ",") << static_cast<unsigned>(one);
    }

    std::string text() const { return out_.str(); }

private:
    void begin(const std::string &name, const std::string &kind) { out_ << "\tway=" << name << "%20" << kind << "%20" << std::hex; }

    std::vector<std::string> urls_;
    std::ostringstream out_;
};

std::string rules(const fields &all)
{
    const std::string body = find(all, "robots");
    std::optional<robots::crawler> crawler;
    try {
        crawler = crawler_of(all);
    } catch (const robots::error &error) {
        return "status=" + std::to_string(error.status());
    }
    const robots::rules rules = crawler->parse(body), copy = rules, again = robots::rules::from_image(rules.image()),
                        borrowed = robots::rules::borrow(rules.image());
    const robots::image_view image(rules.image());
    std::string out = "status=0\tdelay=" + delay_of(rules);
    for (std::size_t i = 0; rules.sitemap(i); i++)
        out += "\tsitemap=" + escaped(*rules.sitemap(i));
    out += "\timage=" + escaped(rules.image());

    std::vector<std::string> urls;
    for (const field &it : all)
        if (it.name == "url")
            urls.push_back(it.value);
    ways asked(urls);
    asked.each("rules::try_check", "word", [&](const std::string &url) { return rules.try_check(url).bits(); });
    asked.each("rules::check", "word", [&](const std::string &url) { return thrown_or_returned(copy, url).bits(); });
    asked.each("rules::try_check,from-an-image", "word", [&](const std::string &url) { return again.try_check(url).bits(); });
    asked.each("rules::try_check,of-a-borrowed-image", "word",
               [&](const std::string &url) { return borrowed.try_check(url).bits(); });
    asked.each("image_view::try_check", "word", [&](const std::string &url) { return image.try_check(url).bits(); });
    asked.each("image_view::check", "word", [&](const std::string &url) { return thrown_or_returned(image, url).bits(); });
    asked.each("crawler::check_once", "word", [&](const std::string &url) { return crawler->check_once(body, url).bits(); });
    asked.each("rules::allowed", "allowed", [&](const std::string &url) { return std::uint64_t{rules.allowed(url)}; });
    asked.each("image_view::allowed", "allowed", [&](const std::string &url) { return std::uint64_t{image.allowed(url)}; });
    asked.at_once("rules::check_batch", rules);
    asked.at_once("image_view::check_batch", image);
    return out + asked.text();
}

std::string of_file(const fields &all, const robots::crawler &crawler, const std::string &kind)
{
    const robots::rules rules = crawler.parse(find(all, "robots"));
    if (kind == "crawl-delay")
        return "value " + delay_of(rules);
    if (kind == "check") {
        const robots::verdict verdict = rules.check(find(all, "url"));
        return verdict_word(verdict) + ' ' + std::to_string(verdict.line());
    }
    if (kind != "sitemaps")
        return "unsupported";
    std::string out = "value";
    for (std::size_t i = 0; rules.sitemap(i); i++)
        out += ' ' + escaped(*rules.sitemap(i));
    return out;
}

// A time in milliseconds since 1970, as C++ has it, and back.
robots::time_point at(std::uint64_t ms) { return robots::time_point(std::chrono::milliseconds(ms)); }
std::int64_t ms_of(robots::time_point time) { return time.time_since_epoch().count(); }

// --- fetches -------------------------------------------------------------------------------------------------------

std::string outcome_words(const robots::outcome &outcome)
{
    const robots_outcome_info it = outcome.info();
    std::ostringstream out;
    out << "value " << name_of(KINDS, it.kind) << ' ' << name_of(CAUSES, it.cause) << ' ' << it.http_status << ' ' << it.hops << ' '
        << it.downgraded << ' ' << it.stale << ' ' << it.fetched_at_ms / 1000 << ' ' << it.fresh_until_ms / 1000 << ' ' << it.usable_until_ms / 1000 << ' '
        << it.retry_at_ms / 1000 << ' ';
    if (it.unreachable_since_ms == UINT64_MAX)
        out << '-';
    else
        out << it.unreachable_since_ms / 1000;
    out << ' ' << word(outcome.final_url());
    return out.str();
}

// Plays the attempts, and answers by the last outcome.
std::string play(const fields &all, const robots::crawler &crawler, const std::string &kind)
{
    const std::string site = find(all, "site");
    robots::time_point now = at(1800000000000);
    robots::fetch fetch(crawler, site, now);
    robots::outcome last;
    for (auto it = all.begin(); it != all.end(); ++it) {
        if (it->name == "attempt") {
            now = at(1000 * std::stoull(it->value));
            fetch = robots::fetch(crawler, site, now);
            if (last)
                fetch.set_previous(last);
        } else if (it->name == "status") {
            fetch.report_status(static_cast<std::uint32_t>(std::stoul(it->value)), now);
        } else if (it->name == "header") {
            fetch.report_header(it->value, std::next(it)->value);
        } else if (it->name == "body") {
            fetch.report_headers_end();
            if (fetch.step() == robots::fetch_step::body)
                fetch.report_body(it->value);
        } else if (it->name == "end") {
            const auto why = it->value.empty() ? robots::failure::none : number_of<robots::failure>(FAILURES, it->value);
            fetch.report_end(why, now);
            if (fetch.step() == robots::fetch_step::done)
                last = fetch.outcome();
        }
    }
    if (kind == "outcome")
        return outcome_words(last);
    if (kind == "due")
        return "value " + std::to_string((last.retry_at() - now).count() / 1000);
    return verdict_word(last.try_check(find(all, "url"), at(1000 * std::stoull(find(all, "at")))));
}

// --- pages ---------------------------------------------------------------------------------------------------------

std::string source_of(const robots::page_controls::rule &rule)
{
    const std::string text = rule.text.empty() ? "-" : escaped(rule.text);
    return ' ' + name_of(SOURCES, rule.source) + ' ' + std::to_string(rule.number) + ' ' + text;
}

robots::page_controls page_of(const fields &all, const robots::crawler &crawler)
{
    robots::page_controls made(crawler);
    for (auto it = all.begin(); it != all.end(); ++it) {
        if (it->name == "header")
            made.add_header(it->value, std::next(it)->value);
        else if (it->name == "meta")
            made.add_meta(it->value, std::next(it)->value);
    }
    return made;
}

std::string page(const fields &all, const robots::crawler &crawler, const std::string &kind)
{
    const robots::page_controls made = page_of(all, crawler);
    const std::string name = find(all, "control");
    std::string out = "value";
    if (kind == "page-unknown") {
        for (const robots::page_controls::rule &rule : made.unknown_rules())
            out += source_of(rule);
        return out;
    }
    const auto control = number_of<robots::control>(CONTROLS, name);
    const std::int64_t value = made.value(control);
    out += ' ' + std::to_string(control == robots::control::unavailable_after && value > 0 ? value / 1000 : value);
    if (kind == "page")
        return out;
    const robots::page_controls::rule rule = made.decided_by(control);
    return out + source_of(rule) + ' ' + (rule.agent.empty() ? "-" : escaped(rule.agent)) + ' ' + name_of(ZONES, rule.zone);
}

// --- uses ----------------------------------------------------------------------------------------------------------

std::string use(const fields &all, const robots::crawler &crawler, const std::string &kind)
{
    const auto known = [&](const std::string &name) {
        const auto found = std::find_if(all.begin(), all.end(), [&](const field &it) { return it.name == name; });
        return found == all.end() ? std::nullopt : std::optional<std::string_view>(found->value);
    };
    const robots::uses uses(crawler, find(all, "site"), known("robots"), known("tdm"));
    const robots::page_controls made = page_of(all, crawler);
    const robots::page_controls *page = find(all, "page") == "unknown" ? nullptr : &made;
    const auto purpose = number_of<robots::purpose>(PURPOSES, find(all, "purpose"));
    const std::string url = find(all, "url");
    if (kind == "use-receipt") // of a page that was fetched at this time
        return "value " + escaped(uses.receipt(url, purpose, page, at(1795000000000)));
    const robots::use_answer answer = uses.use_for(url, purpose, page);
    std::string out = "value " + name_of(USES, answer.says());
    if (kind == "use")
        return out;
    out += answer.decided_by() != nullptr ? " 1" : " 0";
    for (const robots::use_answer::signal &one : answer.signals())
        out += ' ' + name_of(USE_SOURCES, one.source) + ' ' + name_of(USES, one.says) + ' ' + std::to_string(one.line) + ' ' + word(one.token) +
               ' ' + word(one.text);
    return out;
}

// --- scripts of a cache --------------------------------------------------------------------------------------------

std::string time_of(std::int64_t milliseconds) { return milliseconds == 0 ? "-" : std::to_string(milliseconds); }

class stage {
public:
    explicit stage(const fields &all)
    {
        fields of_one;
        for (const field &it : all) {
            if (it.name == "next")
                crawlers_.push_back(crawler_of(std::exchange(of_one, {})));
            else
                of_one.push_back(it);
        }
        crawlers_.push_back(crawler_of(of_one));
        cache_ = make(std::stoull(find(all, "bytes")));
        for (const field &it : all) {
            if (it.name == "cache") {
                const auto [name, value] = setting(it.value);
                cache_->set(number_of<std::uint32_t>(CACHE_OPTIONS, name), value);
            }
        }
    }

    std::string answer(const std::string &event)
    {
        words all;
        for (const std::string_view part : parts(event, ' '))
            all.push_back(part == "~" ? "" : part == "~~" ? "~" : unescaped(part));
        try {
            return act(all);
        } catch (const robots::error &error) {
            return error_of(error.status());
        }
    }

private:
    std::optional<robots::cache> make(std::uint64_t bytes) const
    {
        std::optional<robots::cache> made(std::in_place, crawlers_[0], static_cast<std::size_t>(bytes));
        for (std::size_t i = 1; i < crawlers_.size(); i++)
            made->add_crawler(crawlers_[i]);
        return made;
    }

    std::string act(const words &all)
    {
        const std::string &what = all[0];
        const auto number = [&](std::size_t place) { return std::stoull(all.at(place)); };
        const auto time = [&](std::size_t place) { return at(number(place)); };
        const auto status = [&](std::size_t place) { return static_cast<std::uint32_t>(number(place)); };

        if (what == "check") {
            robots::cache_answer answer = cache_->check(all.at(2), time(3), number(1));
            return decided(answer);
        }
        if (what == "request") {
            robots::cache_answer answer = cache_->request(all.at(2), robots::slot(robots_slot{number(3)}), time(4), number(1));
            return decided(answer) + ' ' + time_of(ms_of(answer.slot.at())) + ' ' + std::to_string(answer.crawl_delay.count()) + ' ' +
                   (answer.crawl_delay_cut ? '1' : '0');
        }
        if (what == "outcome") {
            const robots::outcome found = cache_->outcome(all.at(1));
            return found ? outcome_words(found) : "none";
        }
        if (what == "outcome-check" || what == "record-check") {
            const robots::outcome found = cache_->outcome(all.at(2));
            if (!found)
                return "none";
            return reasoned(what == "outcome-check"
                                ? found.try_check(all[2], time(3), number(1))
                                : robots::outcome::check_record(found.encode(), all[2], time(3), number(1)));
        }
        if (what == "start") {
            fetch_ = tickets_.at(0).fetch(time(1));
            return step();
        }
        if (what == "status")
            fetch_->report_status(status(1), time(2));
        else if (what == "ftp")
            fetch_->report_ftp_reply(status(1), time(2));
        else if (what == "header")
            fetch_->report_header(all.at(1), all.at(2));
        else if (what == "body")
            body(all.at(1));
        else if (what == "end")
            end(number_of<robots::failure>(FAILURES, all.at(1)), time(2));
        else
            return end_of(all);
        return step();
    }

    // The other events.
    std::string end_of(const words &all)
    {
        const std::string &what = all[0];
        const auto number = [&](std::size_t place) { return std::stoull(all.at(place)); };

        if (what == "finish") {
            robots::ticket ticket = oldest();
            return ok(ticket.try_finish(fetch_->outcome(), at(number(1))));
        }
        if (what == "answer") {
            robots::ticket ticket = oldest();
            const robots::time_point now = at(number(3));
            ticket.finish(robots::outcome::from_status(crawlers_[0], ticket.origin(), static_cast<std::uint32_t>(number(1)),
                                                       all.at(2), now), now);
            return ok();
        }
        if (what == "abandon") {
            static_cast<void>(oldest());
            return ok();
        }
        if (what == "retry-after")
            return ok(cache_->report_response(all.at(1), static_cast<std::uint32_t>(number(2)), all.at(3), at(number(4))));
        if (what == "move")
            return move(number(1));
        if (what == "counts")
            return counts();
        if (what == "remove")
            cache_->remove(all.at(1));
        else if (what == "clear")
            cache_->clear();
        else
            throw std::runtime_error("no event: " + what);
        return ok();
    }

    robots::ticket oldest()
    {
        robots::ticket ticket = std::move(tickets_.at(0));
        tickets_.pop_front();
        return ticket;
    }

    std::string decided(robots::cache_answer &answer)
    {
        std::string action = name_of(ACTIONS, answer.action);
        if (answer.ticket) {
            if (answer.action == robots::action::decided)
                action = "refresh";
            tickets_.push_back(std::move(answer.ticket));
        }
        return action + ' ' + reasoned(answer.verdict) + ' ' + time_of(ms_of(answer.until));
    }

    std::string step() const
    {
        std::string out = name_of(STEPS, fetch_->step());
        if (fetch_->step() != robots::fetch_step::get)
            return out;
        out += ' ' + word(fetch_->url());
        for (const auto &[name, value] : fetch_->request_headers())
            out += ' ' + word(name) + ' ' + word(value);
        return out;
    }

    void end_headers()
    {
        if (fetch_->step() == robots::fetch_step::headers)
            fetch_->report_headers_end();
    }

    void body(const std::string &bytes)
    {
        end_headers();
        if (fetch_->step() == robots::fetch_step::body)
            fetch_->report_body(bytes);
    }

    void end(robots::failure why, robots::time_point now)
    {
        if (why == robots::failure::none)
            end_headers();
        fetch_->report_end(why, now);
    }

    std::string move(std::uint64_t bytes)
    {
        std::optional<robots::cache> other = make(bytes);
        std::size_t records = 0;
        cache_->each_record([&](std::string_view record) {
            ok(other->try_import(record));
            records++;
        });
        cache_ = std::move(other);
        return "records " + std::to_string(records);
    }

    std::string counts() const
    {
        const robots_cache_counts it = cache_->counts();
        std::ostringstream out;
        out << "sites " << it.sites << " hits " << it.hits << " stale " << it.stale_hits << " fetches " << it.fetches << " waits "
            << it.waits << " deferred " << it.deferred << " evicted " << it.evicted;
        return out.str();
    }

    std::vector<robots::crawler> crawlers_;
    std::optional<robots::cache> cache_;
    std::deque<robots::ticket> tickets_; // those that are not finished, the oldest first
    std::optional<robots::fetch> fetch_;
};

std::string script(const fields &all)
{
    stage with(all);
    std::string out;
    for (const field &it : all)
        if (it.name == "do")
            out += (out.empty() ? "" : "\t") + with.answer(it.value);
    return out;
}

// --- questions -----------------------------------------------------------------------------------------------------

robots::rules rules_of(const fields &all)
{
    return crawler_of(all).parse(find(all, "robots"));
}

std::string difference(const fields &all)
{
    const auto next = std::find_if(all.begin(), all.end(), [](const field &it) { return it.name == "next"; });
    const robots::rules rules = rules_of({all.begin(), next}), other = rules_of({next, all.end()});
    const robots::difference found = rules.difference(other);
    std::string out = "value " + name_of(DIFFERENCES, found.result());
    for (const robots::difference::path &path : found)
        out += ' ' + escaped(path.text) + ' ' + reasoned(path.verdicts[0]) + ' ' + reasoned(path.verdicts[1]);
    return out;
}

std::string answer(const fields &all)
{
    const std::string kind = find(all, "kind");
    if (kind == "rules")
        return rules(all);
    if (kind == "script")
        return script(all);
    if (kind == "difference")
        return difference(all);
    if (kind == "origin")
        return "value " + escaped(robots::origin(find(all, "url")).robots_url());
    if (kind == "governs")
        return robots::origin(find(all, "robots_url")).governs(find(all, "url")) ? "value yes" : "value no";
    const robots::crawler crawler = crawler_of(all);
    if (kind == "fetch" || kind == "due" || kind == "outcome")
        return play(all, crawler, kind);
    if (kind.compare(0, 3, "use") == 0)
        return use(all, crawler, kind);
    if (kind.compare(0, 4, "page") == 0)
        return page(all, crawler, kind);
    return of_file(all, crawler, kind);
}

} // namespace

int main()
{
    std::ios::sync_with_stdio(false);
    std::cout << "engine librobots-cpp " << ROBOTS_VERSION << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        try {
            std::cout << answer(split(line));
        } catch (const robots::error &error) {
            std::cout << error_of(error.status());
        }
        std::cout << std::endl;
    }
}
