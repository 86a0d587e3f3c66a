#include "app/commands.h"

#include "model/errors.h"

#include <ctime>
#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

namespace fs = std::filesystem;

/// A name beside the file that nothing has yet, with the time in it.
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

ExitCode run_reset(Context& context) {
    const model::Problem problem = context.problem();
    for (std::size_t i = 0; i < problem.files.size(); ++i) {
        const fs::path file = context.learner_file(problem, problem.files[i]);
        try {
            fs::create_directories(file.parent_path());
            if (fs::exists(fs::symlink_status(file))) {
                const fs::path backup = backup_name(file);
                fs::rename(file, backup);
                std::cout << fmt::format("Your file is kept as {}\n", context.shown(backup));
            }
            fs::copy_file(problem.starters[i], file);
        } catch (const fs::filesystem_error& error) {
            throw model::EnvironmentError("cannot reset " + file.string() + ": " + error.code().message() +
                                          "; is the folder writable?");
        }
        std::cout << fmt::format("{} is the starter again. Next: {}\n", context.shown(file),
                                 context.call()("show " + problem.id));
    }
    return ExitCode::accepted;
}

} // namespace app
