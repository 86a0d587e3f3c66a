#include "app/naming.h"

#include <algorithm>
#include <charconv>

namespace app {
namespace {

namespace fs = std::filesystem;

bool is_known(const std::string& id, const Places& places) {
    return std::ranges::find(places.ids, id) != places.ids.end();
}

std::optional<std::string> problem_numbered(const std::string& word, const Places& places) {
    std::size_t number = 0;
    const char* const end = word.data() + word.size();
    const auto [stopped, error] = std::from_chars(word.data(), end, number);
    if (error != std::errc() || stopped != end || number == 0 || number > places.ids.size())
        return std::nullopt;
    return places.ids[number - 1];
}

} // namespace

std::optional<std::string> problem_at(const fs::path& path, const Places& places) {
    std::error_code error;
    const fs::path whole = fs::canonical(places.here / path, error);
    if (error) return std::nullopt;
    for (const fs::path& folder : places.exercises) {
        const fs::path inside = whole.lexically_relative(fs::weakly_canonical(folder, error));
        if (!inside.empty() && is_known(inside.begin()->string(), places)) return inside.begin()->string();
    }
    return std::nullopt;
}

std::optional<std::string> problem_named(const std::string& word, const Places& places) {
    if (is_known(word, places)) return word;
    if (auto numbered = problem_numbered(word, places)) return numbered;
    return problem_at(word, places);
}

} // namespace app
