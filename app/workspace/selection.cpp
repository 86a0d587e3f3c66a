#include "workspace/selection.h"

#include "build/file.h"
#include "workspace/write.h"

namespace workspace {
namespace {

namespace fs = std::filesystem;

constexpr const char* selection_file = ".engine/selected";

} // namespace

std::optional<std::string> selected(const fs::path& folder) {
    std::error_code ignored;
    constexpr std::uintmax_t longest = 200;
    const fs::path file = folder / selection_file;
    if (!fs::is_regular_file(file, ignored) || fs::file_size(file, ignored) > longest) return std::nullopt;
    const auto text = build::read_file(file);
    if (!text || !text->ends_with('\n')) return std::nullopt;
    return text->substr(0, text->size() - 1);
}

void select(const fs::path& folder, const std::string& id) {
    write(folder, selection_file, id + "\n");
}

} // namespace workspace
