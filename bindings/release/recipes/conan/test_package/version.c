#include <librobots.h>

int main(void) { return robots_version_number() != ROBOTS_VERSION_NUMBER; }
