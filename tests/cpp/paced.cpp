// paced: tests/c/paced.c in C++, with the same arguments.
#include <librobots.hpp>

#include <curl/curl.h>

#include <chrono>
#include <cstdint>
#include <exception>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace {

using std::chrono::milliseconds;

template <class Clock>
milliseconds since_epoch()
{
    return std::chrono::duration_cast<milliseconds>(Clock::now().time_since_epoch());
}

/// What now() adds to the steady clock, which nobody sets.
const milliseconds since_1970 = since_epoch<std::chrono::system_clock>() - since_epoch<std::chrono::steady_clock>();

robots::time_point now() { return robots::time_point(since_1970 + since_epoch<std::chrono::steady_clock>()); }

void sleep_until(robots::time_point time)
{
    std::this_thread::sleep_until(std::chrono::steady_clock::time_point(time.time_since_epoch() - since_1970));
}

extern "C" std::size_t on_body(char *piece, std::size_t, std::size_t len, void *context) noexcept
{
    try {
        static_cast<std::string *>(context)->append(piece, len);
        return len;
    } catch (...) {
        return 0; // nothing may be thrown through libcurl
    }
}

struct response {
    std::uint32_t status; ///< 0: no response
    std::string body;
};

response get(const std::string &url)
{
    const std::unique_ptr<CURL, void (*)(CURL *)> http(curl_easy_init(), &curl_easy_cleanup);
    std::string body;
    long status = 0;

    curl_easy_setopt(http.get(), CURLOPT_URL, url.c_str());
    curl_easy_setopt(http.get(), CURLOPT_USERAGENT, "ExampleBot");
    curl_easy_setopt(http.get(), CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(http.get(), CURLOPT_TIMEOUT, 30L);
    curl_easy_setopt(http.get(), CURLOPT_WRITEFUNCTION, &on_body);
    curl_easy_setopt(http.get(), CURLOPT_WRITEDATA, &body);
    if (curl_easy_perform(http.get()) == CURLE_OK)
        curl_easy_getinfo(http.get(), CURLINFO_RESPONSE_CODE, &status);
    return {static_cast<std::uint32_t>(status), body};
}

void visit(const robots::cache &cache, const robots::crawler &crawler, const std::string &url)
{
    for (robots::slot slot;;) {
        const robots::time_point asked = now();
        robots::cache_answer answer = cache.request(url, slot, asked);
        if (answer.ticket) {
            const std::string file = std::string(answer.ticket.origin()) + "/robots.txt";
            const response found = get(file);
            answer.ticket.finish(robots::outcome::from_status(crawler, file, found.status, found.body, now()), now());
        }
        if (answer.verdict.status() != ROBOTS_OK)
            throw robots::error(answer.verdict.status());
        switch (answer.action) {
        case robots::action::decided:
            if (!answer.verdict.allowed())
                return;
            if (answer.slot.due(asked)) {
                const std::uint32_t status = get(url).status;
                cache.report_response(url, status, "", now());
                return;
            }
            slot = answer.slot;
            sleep_until(slot.at());
            break;
        case robots::action::fetch: break;
        case robots::action::wait: cache.wait(url, std::chrono::seconds(30)); break; // another thread fetches the robots.txt
        case robots::action::defer: throw std::runtime_error("deferred");
        }
    }
}

} // namespace

int main(int argc, char **argv)
try {
    const robots::crawler crawler("ExampleBot");
    const robots::cache cache(crawler, 16 << 20);
    std::vector<std::thread> threads;

    curl_global_init(CURL_GLOBAL_DEFAULT);
    for (int i = 1; i < argc; i++)
        threads.emplace_back([&cache, &crawler, url = std::string(argv[i])] { visit(cache, crawler, url); });
    for (std::thread &thread : threads)
        thread.join();
    curl_global_cleanup();
    return 0;
} catch (const std::exception &error) {
    std::cerr << "paced: " << error.what() << '\n';
    return 2;
}
