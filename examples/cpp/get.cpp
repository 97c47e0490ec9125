/* get: prints web pages, if their sites' robots.txt files allow it.
 *
 *     get TOKEN URL...
 *     c++ -std=c++17 examples/cpp/get.cpp $(pkg-config --cflags --libs librobots) $(curl-config --cflags --libs) -o get
 *
 * Exit status: 0 all were got, 1 some were not, 2 wrong use. What became of each is said on standard error.
 *
 * A robots::cache says what to do with a URL. Where it returns a ticket, ticket::retrieve() fetches the robots.txt: it calls
 * ask() for each request, which reports the response that libcurl receives.
 */
#include <librobots.hpp>

#include <curl/curl.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <exception>
#include <functional>
#include <iostream>
#include <memory>
#include <new>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

namespace {

std::chrono::system_clock::time_point now() { return std::chrono::system_clock::now(); }

/// One GET, without redirects.
class request {
public:
    /// Passes one piece of the response on; false ends it.
    using listener = std::function<bool(std::string_view)>;

    request(std::string_view url, const std::string &user_agent, listener header, listener body)
        : header_(std::move(header)), body_(std::move(body))
    {
        if (easy_ == nullptr)
            throw std::bad_alloc();
        curl_easy_setopt(easy_.get(), CURLOPT_URL, std::string(url).c_str());
        curl_easy_setopt(easy_.get(), CURLOPT_USERAGENT, user_agent.c_str());
        curl_easy_setopt(easy_.get(), CURLOPT_ACCEPT_ENCODING, "");
        curl_easy_setopt(easy_.get(), CURLOPT_TIMEOUT, 20L);
        curl_easy_setopt(easy_.get(), CURLOPT_HEADERFUNCTION, &hand_over);
        curl_easy_setopt(easy_.get(), CURLOPT_HEADERDATA, &header_);
        curl_easy_setopt(easy_.get(), CURLOPT_WRITEFUNCTION, &hand_over);
        curl_easy_setopt(easy_.get(), CURLOPT_WRITEDATA, &body_);
    }

    void send(std::string_view name, std::string_view value)
    {
        const std::string line = std::string(name) + ": " + std::string(value);
        curl_slist *const longer = curl_slist_append(headers_.get(), line.c_str());
        if (longer == nullptr)
            throw std::bad_alloc();
        (void)headers_.release(); // it is the same list, or was none
        headers_.reset(longer);
        curl_easy_setopt(easy_.get(), CURLOPT_HTTPHEADER, longer);
    }
    /// Leaves the body as the site sent it: a fetch sees whether it is whole, curl does not.
    void leave_coding()
    {
        curl_easy_setopt(easy_.get(), CURLOPT_ACCEPT_ENCODING, "identity");
        curl_easy_setopt(easy_.get(), CURLOPT_HTTP_CONTENT_DECODING, 0L);
    }
    CURLcode perform() { return curl_easy_perform(easy_.get()); }
    [[nodiscard]] std::uint32_t status() const
    {
        long number = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_RESPONSE_CODE, &number);
        return static_cast<std::uint32_t>(number);
    }
    /// The seconds of Retry-After; empty without one.
    [[nodiscard]] std::string retry_after() const
    {
        curl_off_t seconds = 0;
        curl_easy_getinfo(easy_.get(), CURLINFO_RETRY_AFTER, &seconds);
        return seconds > 0 ? std::to_string(seconds) : std::string();
    }

private:
    static std::size_t hand_over(char *data, std::size_t, std::size_t len, void *to) noexcept
    {
        try {
            return (*static_cast<listener *>(to))({data, len}) ? len : 0;
        } catch (...) {
            return 0; // nothing may be thrown through libcurl
        }
    }

    struct end {
        void operator()(CURL *easy) const noexcept { curl_easy_cleanup(easy); }
        void operator()(curl_slist *list) const noexcept { curl_slist_free_all(list); }
    };
    listener header_, body_;
    std::unique_ptr<curl_slist, end> headers_;
    std::unique_ptr<CURL, end> easy_{curl_easy_init()};
};

robots::failure failure_of(CURLcode code)
{
    switch (code) {
    case CURLE_OK: return robots::failure::none;
    case CURLE_COULDNT_RESOLVE_HOST: return robots::failure::dns;
    case CURLE_COULDNT_CONNECT: return robots::failure::connect;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION: return robots::failure::tls;
    case CURLE_OPERATION_TIMEDOUT: return robots::failure::timeout;
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM: return robots::failure::reset;
    case CURLE_PARTIAL_FILE: return robots::failure::truncated;
    case CURLE_BAD_CONTENT_ENCODING: return robots::failure::encoded_body;
    default: return robots::failure::other;
    }
}

/// Sends the GET of a transfer and reports the response.
robots::failure ask(robots::transfer &transfer, const std::string &user_agent)
{
    std::uint32_t status = 0;
    const auto header = [&](std::string_view line) {
        line = line.substr(0, line.find_last_not_of("\r\n") + 1);
        if (line.substr(0, 5) == "HTTP/") {
            const std::size_t space = line.find(' ');
            status = space == line.npos ? 0 : static_cast<std::uint32_t>(std::atoi(std::string(line.substr(space)).c_str()));
            return status / 100 == 1 || transfer.status(status);
        }
        if (status / 100 == 1)
            return true; // another response follows
        if (line.empty())
            return transfer.headers_end();
        const std::size_t colon = line.find(':');
        return colon == line.npos || transfer.header(line.substr(0, colon), line.substr(colon + 1));
    };
    request get(transfer.url(), user_agent, header, [&](std::string_view piece) { return transfer.body(piece); });
    get.leave_coding();
    for (const auto &[name, value] : transfer.request_headers())
        get.send(name, value);
    return failure_of(get.perform());
}

/// Gets a page, if that may be. Returns what became of it.
std::string get(const robots::cache &cache, const std::string &given, const std::string &user_agent)
{
    std::string url; // what is checked, and sent as it is
    try {
        url = robots::url_to_send(given);
    } catch (const robots::error &error) {
        return error.what();
    }
    robots::cache_answer answer;
    auto asked = now();
    do { // until the time of its slot
        if (answer.ticket)
            answer.ticket.retrieve([&](robots::transfer &transfer) { return ask(transfer, user_agent); });
        else if (answer.verdict.allowed())
            std::this_thread::sleep_for(answer.slot.at() - asked);
        asked = now();
        answer = cache.request(url, answer.slot, asked);
    } while (answer.ticket || (answer.verdict.allowed() && !answer.slot.due(asked)));
    if (answer.verdict.status() != ROBOTS_OK)
        return robots_status_text(answer.verdict.status());
    if (answer.action != robots::action::decided)
        return "not before " + std::to_string(answer.until.time_since_epoch().count() / 1000) + ": its robots.txt cannot be had";
    if (!answer.verdict.allowed())
        return "forbidden by line " + std::to_string(answer.verdict.line()); // 0: all of the site is

    request page(url, user_agent, [](std::string_view) { return true; },
                 [](std::string_view piece) { return static_cast<bool>(std::cout << piece); });
    const CURLcode code = page.perform();
    cache.report_response(url, page.status(), page.retry_after(), now());
    if (code != CURLE_OK)
        return curl_easy_strerror(code);
    return page.status() == 200 ? std::string() : "status " + std::to_string(page.status());
}

} // namespace

int main(int argc, char **argv)
try {
    if (argc < 3) {
        std::cerr << "usage: get TOKEN URL...\nTOKEN is the name that robots.txt files know the program by.\n";
        return 2;
    }
    robots::crawler crawler(argv[1]);
    // A page is worth another try when its site is back, so what cannot be had is put off, not forbidden.
    for (const std::uint32_t failure :
         {ROBOTS_OPT_ON_TOO_MANY_REQUESTS, ROBOTS_OPT_ON_SERVER_ERROR, ROBOTS_OPT_ON_UNREACHABLE})
        crawler.set(failure, ROBOTS_OUTCOME_DEFER);
    const robots::cache cache(crawler, 1 << 20);
    const std::string user_agent = std::string(argv[1]) + "/1.0 (+https://example.com/bot)";
    int result = 0;

    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (int i = 2; i < argc; i++) {
        const std::string why = get(cache, argv[i], user_agent);
        std::cerr << argv[i] << ": " << (why.empty() ? "got" : why) << '\n';
        result = why.empty() ? result : 1;
    }
    curl_global_cleanup();
    return result;
} catch (const std::exception &error) {
    std::cerr << "get: " << error.what() << '\n';
    return 2;
}
