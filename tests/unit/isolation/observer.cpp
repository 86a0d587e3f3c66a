// observer CANARY: prints the level that is observed here, and what is missing.
#include "isolation/observe.h"

#include <cstdio>
#include <exception>

int main(int count, char** arguments) {
    if (count < 2) return 2;
    try {
        const model::Isolation isolation = isolation::observe(arguments[1]);
        std::printf("level %s\n", name(isolation.level).data());
        for (const std::string& line : isolation.missing)
            std::puts(line.c_str());
        return 0;
    } catch (const std::exception& error) {
        std::puts(error.what());
        return 1;
    }
}
