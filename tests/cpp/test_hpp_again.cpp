/* The header in a second file of the same program: nothing in it is defined twice. */
#include <librobots.h>
#include <librobots.hpp>

std::uint32_t line_from_another_file(const robots::rules &rules);

std::uint32_t line_from_another_file(const robots::rules &rules)
{
    return rules.check("/private").line();
}
