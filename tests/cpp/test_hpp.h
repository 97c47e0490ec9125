/* What the tests of librobots.hpp share. */
#ifndef TEST_HPP_H
#define TEST_HPP_H

#include <librobots.hpp>

#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>

inline unsigned long failures;

#define CHECK(condition) ((condition) ? (void)0 : fail(__FILE__, __LINE__, #condition))

inline void fail(const char *file, int line, const char *what)
{
    failures++;
    std::printf("FAIL %s:%d: not so: %s\n", file, line, what);
}

#if defined(__cpp_exceptions)
/* The status of the robots::error that `work` throws; ROBOTS_OK when it throws none. */
template <class Work>
robots_status thrown(Work work)
{
    try {
        work();
        return ROBOTS_OK;
    } catch (const robots::error &error) {
        CHECK(error.status() == ROBOTS_E_TOKEN || std::strcmp(error.what(), robots_status_text(error.status())) == 0);
        return error.status();
    }
}

/* The argument that the error names. */
template <class Work>
std::string argument_of(Work work)
{
    try {
        work();
        return "";
    } catch (const robots::error &error) {
        const std::string text = error.what(), start = "invalid argument: ";
        CHECK(text.compare(0, start.size(), start) == 0);
        return text.substr(start.size(), text.find(' ', start.size()) - start.size());
    }
}
#endif

inline const char BODY[] = "user-agent: *\ndisallow: /private\ncrawl-delay: 2.5\nsitemap: /1.xml\nsitemap: /2.xml\n";

inline robots::rules parse(std::string_view body)
{
    return robots::crawler("ExampleBot").parse(body);
}

/* test_hpp_again.cpp */
std::uint32_t line_from_another_file(const robots::rules &rules);

/* test_hpp_around.cpp */
void caches();
void lint();
void explanations();
void other_lines();
void origins();
void fetches();
void runs();
void pages();
void uses();

/* test_hpp_without.cpp, compiled with -fno-exceptions */
void without_exceptions();

#endif
