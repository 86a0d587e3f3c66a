#include "harness/finding.h"

#include <array>

namespace harness {

const char* name(Finding::Kind kind) {
    constexpr std::array<const char*, 10> names{
        "mismatch",      "assertion",     "died",    "threw",         "not_implemented",
        "out_of_memory", "device_failed", "overrun", "changed_input", "broken_suite"};
    return names.at(static_cast<std::size_t>(kind));
}

} // namespace harness
