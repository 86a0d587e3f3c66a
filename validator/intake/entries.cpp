#include "intake/entries.h"

#include "text/clean.h"

#include <algorithm>
#include <array>
#include <filesystem>

namespace intake {

void note_change(Entries& entries, coursework::Instant time) {
    if (!entries.newest || *entries.newest < time) entries.newest = time;
}

bool is_kept(const std::string& path) {
    constexpr std::array extensions{".cpp", ".cc", ".cxx", ".c", ".cu", ".h", ".hpp", ".hh", ".cuh", ".json"};
    return std::ranges::find(extensions, std::filesystem::path(path).extension().string()) !=
           extensions.end();
}

std::optional<std::string> plain_path(const std::string& path) {
    if (path.empty() || path.front() == '/' || path.find('\\') != std::string::npos) return std::nullopt;
    if (text::cleaned(path, text::Lines::show) != path) return std::nullopt;
    std::string plain;
    for (const std::filesystem::path& part : std::filesystem::path(path)) {
        if (part == "..") return std::nullopt;
        if (part.empty() || part == ".") continue;
        plain += (plain.empty() ? "" : "/") + part.string();
    }
    if (plain.empty()) return std::nullopt;
    return plain;
}

bool is_hidden(const std::string& path) {
    return std::ranges::any_of(std::filesystem::path(path), [](const std::filesystem::path& part) {
        return part.native().starts_with('.') || part == "__MACOSX";
    });
}

} // namespace intake
