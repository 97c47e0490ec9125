/* filter: prints those of the URLs on standard input that a crawler may fetch, decided by 8 threads.
 *
 *     filter FILE TOKEN < URLS        (URLS: one a line; the order stays)
 *     c++ -std=c++17 examples/cpp/filter.cpp $(pkg-config --cflags --libs librobots) -pthread -o filter
 *
 * Exit status: 0, or 2 when something was wrong.
 *
 * What to copy: one robots::rules for all threads. It is immutable, so no thread waits for another and there is
 * nothing to lock; each writes only the answers of its own piece of the list.
 */
#include <librobots.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr std::size_t THREADS = 8;

std::string read_file(const char *path)
{
    std::ifstream in(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(in), {}};
    if (!in.is_open() || in.bad())
        throw std::runtime_error(std::string("cannot read ") + path + ": " + std::strerror(errno));
    return text;
}

/* The lines of a text, without their ends (LF or CRLF) and without empty ones. */
std::vector<std::string_view> lines_of(std::string_view text)
{
    std::vector<std::string_view> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        if (!line.empty() && line.back() == '\r')
            line.remove_suffix(1);
        if (!line.empty())
            lines.push_back(line);
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

/* One answer per URL. What is no URL gets 0 as well: the twins that do not throw never allow by mistake. */
std::vector<char> decide(const robots::rules &rules, const std::vector<std::string_view> &urls)
{
    std::vector<char> allowed(urls.size());
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < THREADS; t++) {
        const std::size_t begin = urls.size() * t / THREADS, end = urls.size() * (t + 1) / THREADS;
        threads.emplace_back([&, begin, end] {
            for (std::size_t i = begin; i < end; i++)
                allowed[i] = rules.allowed(urls[i]);
        });
    }
    for (std::thread &thread : threads)
        thread.join();
    return allowed;
}

} // namespace

int main(int argc, char **argv)
{
    if (argc != 3) {
        std::cerr << "usage: filter FILE TOKEN < URLS\n"
                     "FILE is a robots.txt, TOKEN the name it knows the crawler by, such as ExampleBot.\n";
        return 2;
    }
    try {
        std::ios::sync_with_stdio(false);
        const robots::rules rules = robots::crawler(argv[2]).parse(read_file(argv[1]));
        const std::string input{std::istreambuf_iterator<char>(std::cin), {}};
        const std::vector<std::string_view> urls = lines_of(input);
        const std::vector<char> allowed = decide(rules, urls);
        for (std::size_t i = 0; i < urls.size(); i++)
            if (allowed[i])
                std::cout << urls[i] << '\n';
        if (!std::cout.flush())
            throw std::runtime_error("cannot write to standard output");
    } catch (const std::exception &problem) { // robots::error among them: a token that is none
        std::cerr << "filter: " << problem.what() << '\n';
        return 2;
    }
}
