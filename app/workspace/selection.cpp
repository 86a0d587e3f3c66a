#include "workspace/selection.h"

#include "build/file.h"

#include <cerrno>

namespace workspace {
namespace {

namespace fs = std::filesystem;

fs::path selection_file(const fs::path& folder) {
    return folder / ".engine" / "selected";
}

} // namespace

std::optional<std::string> selected(const fs::path& folder) {
    std::error_code ignored;
    constexpr std::uintmax_t longest = 200;
    const fs::path file = selection_file(folder);
    if (!fs::is_regular_file(file, ignored) || fs::file_size(file, ignored) > longest) return std::nullopt;
    const auto text = build::read_file(file);
    if (!text || !text->ends_with('\n')) return std::nullopt;
    return text->substr(0, text->size() - 1);
}

bool select(const fs::path& folder, const std::string& id) {
    std::error_code error;
    fs::create_directories(selection_file(folder).parent_path(), error);
    if (error) {
        errno = error.value();
        return false;
    }
    return build::write_atomically(selection_file(folder), id + "\n", 0644);
}

} // namespace workspace
