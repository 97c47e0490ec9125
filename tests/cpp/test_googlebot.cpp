/* librobots/googlebot/robots.h: what Google's test does not ask. */
#include "robots.h"

#include <cstdio>
#include <string>
#include <vector>

namespace {

unsigned long failures;

#define CHECK(condition) \
    ((condition) ? (void)0 : (void)(failures++, std::printf("FAIL %s:%d: not so: %s\n", __FILE__, __LINE__, #condition)))

using text = googlebot::detail::text;

/// Writes what it receives.
class recorder : public googlebot::RobotsParseHandler {
public:
    std::string lines;

    void HandleRobotsStart() override { lines = "<"; }
    void HandleRobotsEnd() override { lines += ">"; }
    void HandleUserAgent(int number, text value) override { add(number, "U", value); }
    void HandleAllow(int number, text value) override { add(number, "A", value); }
    void HandleDisallow(int number, text value) override { add(number, "D", value); }
    void HandleSitemap(int number, text value) override { add(number, "S", value); }
    void HandleUnknownAction(int number, text action, text value) override { add(number, std::string(action), value); }
    void ReportLineMetadata(int number, const LineMetadata &of) override
    {
        lines += std::to_string(number);
        lines += of.is_empty ? "e" : "";
        lines += of.has_comment ? "#" : "";
        lines += of.is_comment ? "c" : "";
        lines += of.has_directive ? "d" : "";
        lines += of.is_acceptable_typo ? "t" : "";
        lines += of.is_line_too_long ? "l" : "";
        lines += of.is_missing_colon_separator ? "m" : "";
        lines += ' ';
    }

private:
    void add(int number, const std::string &what, text value)
    {
        lines += std::to_string(number) + what + '=' + std::string(value) + ' ';
    }
};

void parsing()
{
    recorder seen;
    googlebot::ParseRobotsTxt("User-agent: FooBot # us\r\n\ndisalow /\xc3\xa9%aa\n# only\ncrawl-delay: 3\nx y z\nSitemap: /%aa\n", &seen);
    CHECK(seen.lines == "<1U=FooBot 1#d 2e 3D=/%C3%A9%AA 3dtm 4#c 5crawl-delay=3 5d 6 7S=/%aa 7d 8e >");
    googlebot::ParseRobotsTxt("allow: /" + std::string(20000, 'a'), &seen);
    CHECK(seen.lines.substr(seen.lines.size() - 6) == " 1dl >");
    googlebot::ParseRobotsTxt("", &seen);
    CHECK(seen.lines == "<1e >");

    bool typo = false;
    CHECK(googlebot::GetKeyType("disalow", &typo) == googlebot::KeyType::DISALLOW && typo);
    CHECK(googlebot::GetKeyType("Sitemap", &typo) == googlebot::KeyType::SITEMAP && !typo);
    CHECK(googlebot::GetKeyType("noindex", &typo) == googlebot::KeyType::UNKNOWN && !typo);
}

void matching()
{
    googlebot::RobotsMatcher matcher;
    const char file[] = "user-agent: *\ndisallow: /\nuser-agent: a-bot\nallow: /a\ndisallow: /b\n";
    CHECK(!matcher.disallow() && matcher.matching_line() == 0);
    CHECK(!matcher.OneAgentAllowedByRobots(file, "other", "http://x/a"));
    CHECK(matcher.disallow() && !matcher.disallow_ignore_global() && !matcher.ever_seen_specific_agent() && matcher.matching_line() == 2);
    CHECK(!matcher.OneAgentAllowedByRobots(file, "A-Bot", "http://x/b"));
    CHECK(matcher.disallow_ignore_global() && matcher.ever_seen_specific_agent() && matcher.matching_line() == 5);
    const std::vector<std::string> agents = {"other", "a-bot", "a bot"};
    CHECK(matcher.AllowedByRobots(file, &agents, "http://x/c") && !matcher.disallow() && matcher.ever_seen_specific_agent());
    CHECK(!matcher.OneAgentAllowedByRobots(file, "a-bot/2.1", "http://x/a") && !matcher.ever_seen_specific_agent());

    // A path that begins with // is no host.
    CHECK(!matcher.OneAgentAllowedByRobots("user-agent: *\ndisallow: //p\n", "a", "http://x//p"));
    // What exceeds a limit is disallowed.
    CHECK(!matcher.OneAgentAllowedByRobots("", "a", "http://x/" + std::string(70000, 'a')));
    const std::vector<std::string> many(65, "a-bot");
    CHECK(!matcher.AllowedByRobots("", &many, "http://x/"));
    // Without a limit of Google's: a file of a megabyte.
    CHECK(!matcher.OneAgentAllowedByRobots(std::string(1 << 20, '\n') + "user-agent: *\ndisallow: /", "a", "http://x/"));
}

} // namespace

int main()
{
    parsing();
    const unsigned long before = failures;
    matching();
    std::printf("googlebot header: %d passed, %d failed\n", (before == 0) + (failures == before), (before > 0) + (failures > before));
    return failures != 0;
}
