// What the benchmark and the conformance suite call of a C++ peer: Google's matcher or its fork, each built with this file into
// a library of its own.

#include "robots.h"

#include <cstddef>
#include <string>
#include <vector>

namespace {

#ifdef PEER_IS_FORK
using Text = std::string_view;
#else
using Text = absl::string_view;
#endif

using Use = void (*)(const char*, size_t);

// Reads a whole file, counts sitemaps, and passes each on if it is asked to.
class Sitemaps : public googlebot::RobotsParseHandler {
   public:
    explicit Sitemaps(Use use) : use_(use) {}
    size_t count = 0;
    void HandleRobotsStart() override {}
    void HandleRobotsEnd() override {}
    void HandleUserAgent(int, Text) override {}
    void HandleAllow(int, Text) override {}
    void HandleDisallow(int, Text) override {}
    void HandleSitemap(int, Text value) override {
        count += !value.empty();
        if (use_ != nullptr) use_(value.data(), value.size());
    }
    void HandleUnknownAction(int, Text, Text) override {}
#ifdef PEER_IS_FORK
    void HandleCrawlDelay(int, double) override {}
    void HandleRequestRate(int, const googlebot::RequestRate&) override {}
#if ROBOTS_SUPPORT_CONTENT_SIGNAL
    void HandleContentSignal(int, const googlebot::ContentSignal&) override {}
#endif
#endif

   private:
    Use use_;
};

}  // namespace

extern "C" __attribute__((visibility("default"))) size_t peer_sitemaps(const char* body, size_t body_len) {
    Sitemaps sitemaps(nullptr);
    googlebot::ParseRobotsTxt(Text(body, body_len), &sitemaps);
    return sitemaps.count;
}

extern "C" __attribute__((visibility("default"))) bool peer_allowed(const char* body, size_t body_len,
                                                                    const char* token, size_t token_len,
                                                                    const char* url, size_t url_len) {
    googlebot::RobotsMatcher matcher;
    return matcher.OneAgentAllowedByRobots(Text(body, body_len), std::string(token, token_len),
                                           std::string(url, url_len));
}

extern "C" __attribute__((visibility("default"))) void peer_each_sitemap(const char* body, size_t body_len, Use use) {
    Sitemaps sitemaps(use);
    googlebot::ParseRobotsTxt(Text(body, body_len), &sitemaps);
}

// As peer_allowed, for several tokens: -1 if one is not valid. Stores the line of the rule that decides. `delay` becomes the
// crawl-delay if the peer has one for these tokens.
extern "C" __attribute__((visibility("default"))) int peer_check(const char* body, size_t body_len,
                                                                 const char* const* tokens, const size_t* token_lens,
                                                                 size_t tokens_len, const char* url, size_t url_len,
                                                                 int* line, double* delay) {
    std::vector<std::string> agents;
    for (size_t i = 0; i < tokens_len; i++) {
        agents.emplace_back(tokens[i], token_lens[i]);
        if (!googlebot::RobotsMatcher::IsValidUserAgentToObey(agents.back())) return -1;
    }
    googlebot::RobotsMatcher matcher;
    const bool allowed = matcher.AllowedByRobots(Text(body, body_len), &agents, std::string(url, url_len));
    *line = matcher.matching_line();
#ifdef PEER_IS_FORK
    *delay = matcher.GetCrawlDelay().value_or(*delay);
#else
    (void)delay;
#endif
    return allowed;
}
