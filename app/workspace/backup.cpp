#include "workspace/backup.h"

#include <ctime>
#include <fmt/format.h>

namespace workspace {
namespace {

namespace fs = std::filesystem;

fs::path backup_name(const fs::path& file) {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    char stamp[32];
    std::strftime(stamp, sizeof stamp, "%Y%m%d-%H%M%S", &parts);
    for (int number = 0;; ++number) {
        fs::path name = file;
        name += fmt::format(".{}{}.bak", stamp, number == 0 ? "" : fmt::format("-{}", number));
        if (!fs::exists(fs::symlink_status(name))) return name;
    }
}

} // namespace

std::optional<fs::path> set_aside(const fs::path& file) {
    if (!fs::exists(fs::symlink_status(file))) return std::nullopt;
    fs::path backup = backup_name(file);
    fs::rename(file, backup);
    return backup;
}

} // namespace workspace
