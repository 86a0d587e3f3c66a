#include "build/unreadable.h"

#include <array>
#include <string_view>

namespace build {
namespace {

/// Why a file cannot be opened, as the C library says it.
constexpr std::array<std::string_view, 6> reasons{
    ": No such file or directory", ": Permission denied",  ": Is a directory",
    ": Not a directory",           ": File name too long", ": Too many levels of symbolic links",
};

struct Frame {
    std::string_view before;
    std::string_view after;
};

/// What stands around the name in such a message: of g++ nothing, of its assembler, of clang.
constexpr std::array frames{
    Frame{"can't open ", " for reading"}, Frame{"file not found: ", ""},    Frame{"'", "' file not found"},
    Frame{"error reading '", "'"},        Frame{"cannot open file '", "'"},
};

std::string told(std::string_view name) {
    return std::string(name) + ": this file cannot be included";
}

} // namespace

std::string without_reason(const std::string& message) {
    std::string_view rest = message;
    bool unreadable = false;
    for (const std::string_view reason : reasons)
        if (rest.ends_with(reason)) {
            rest.remove_suffix(reason.size());
            unreadable = true;
            break;
        }
    for (const auto& [before, after] : frames) {
        if (!rest.starts_with(before) || !rest.ends_with(after) ||
            rest.size() <= before.size() + after.size())
            continue;
        // With nothing after the name, only these words tell what it is about.
        if (!unreadable && before != "file not found: " && after != "' file not found") continue;
        return told(rest.substr(before.size(), rest.size() - before.size() - after.size()));
    }
    return unreadable ? told(rest) : message;
}

} // namespace build
