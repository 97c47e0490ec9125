// What a stranger writes first, in C++.
#include <librobots.hpp>

#include <iostream>

int main()
{
    const robots::rules rules = robots::crawler("ExampleBot").parse("user-agent: *\ndisallow: /private/\n");
    const robots::verdict verdict = rules.check("https://example.com/private/diary");
    std::cout << (verdict.allowed() ? "allowed" : "disallowed") << " by line " << verdict.line() << ", says "
              << robots::version() << "\n";
}
