#include "app/call.h"

#include "model/shell_word.h"

#include <algorithm>
#include <cstdlib>

namespace app {
namespace {

namespace fs = std::filesystem;

/// The first file of this name in the folders of PATH.
fs::path find_in(std::string_view search, const fs::path& name) {
    while (!search.empty()) {
        const std::size_t end = std::min(search.find(':'), search.size());
        fs::path candidate = fs::path(search.substr(0, end)) / name;
        std::error_code ignored;
        if (candidate.is_absolute() && fs::exists(candidate, ignored)) return candidate;
        search.remove_prefix(std::min(end + 1, search.size()));
    }
    return {};
}

} // namespace

Call::Call(std::string_view typed, fs::path here, std::string_view search)
    : typed_(typed.empty() ? "engine" : typed), here_(std::move(here)) {
    // A script that a shell found in PATH is told its whole path.
    std::error_code ignored;
    if (typed_.is_absolute() && fs::equivalent(find_in(search, typed_.filename()), typed_, ignored))
        typed_ = typed_.filename();
}

std::string Call::operator()(std::string_view arguments) const {
    const std::string word = model::shell_word(typed_.string());
    return arguments.empty() ? word : word + " " + std::string(arguments);
}

fs::path Call::program() const {
    return typed_.has_parent_path() ? (here_ / typed_).lexically_normal() : typed_;
}

std::string Call::word_in(const fs::path& folder) const {
    const fs::path path = program();
    if (!path.has_parent_path()) return model::shell_word(path.string());
    const fs::path relative = path.lexically_relative(folder);
    const bool inside = !relative.empty() && *relative.begin() != "..";
    return model::shell_word(inside ? "./" + relative.string() : path.string());
}

std::string typed_word(const char* argument) {
    const char* script = std::getenv("ENGINE_CALLED_AS");
    return script != nullptr && *script != '\0' ? script : argument;
}

} // namespace app
