// What the benchmark calls of a C++ peer: Google's matcher or its fork, each built with this file into a library of its own.

#include "robots.h"

#include <cstddef>
#include <string>

namespace {

// Reads a whole file and keeps one number.
#ifdef PEER_IS_FORK
using Text = std::string_view;
#else
using Text = absl::string_view;
#endif

class SitemapCounter : public googlebot::RobotsParseHandler {
   public:
    size_t count = 0;
    void HandleRobotsStart() override {}
    void HandleRobotsEnd() override {}
    void HandleUserAgent(int, Text) override {}
    void HandleAllow(int, Text) override {}
    void HandleDisallow(int, Text) override {}
    void HandleSitemap(int, Text value) override { count += !value.empty(); }
    void HandleUnknownAction(int, Text, Text) override {}
#ifdef PEER_IS_FORK
    void HandleCrawlDelay(int, double) override {}
    void HandleRequestRate(int, const googlebot::RequestRate&) override {}
#if ROBOTS_SUPPORT_CONTENT_SIGNAL
    void HandleContentSignal(int, const googlebot::ContentSignal&) override {}
#endif
#endif
};

}  // namespace

extern "C" __attribute__((visibility("default"))) size_t peer_sitemaps(const char* body, size_t body_len) {
    SitemapCounter counter;
    googlebot::ParseRobotsTxt(Text(body, body_len), &counter);
    return counter.count;
}

extern "C" __attribute__((visibility("default"))) bool peer_allowed(const char* body, size_t body_len,
                                                                    const char* token, size_t token_len,
                                                                    const char* url, size_t url_len) {
    googlebot::RobotsMatcher matcher;
    return matcher.OneAgentAllowedByRobots(Text(body, body_len), std::string(token, token_len),
                                           std::string(url, url_len));
}
