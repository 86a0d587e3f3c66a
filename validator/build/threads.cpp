#include "build/threads.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace build {

using namespace std::string_view_literals;

bool starts_threads(const CachedWorker& program) {
    // As the names of what is imported lie in a program.
    constexpr std::array names{"\0pthread_create\0"sv, "\0thrd_create\0"sv};
    const std::string bytes = program_bytes(program);
    return std::ranges::any_of(names,
                               [&](std::string_view name) { return bytes.find(name) != std::string::npos; });
}

} // namespace build
