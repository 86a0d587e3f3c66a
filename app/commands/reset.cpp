#include "app/commands.h"

#include "model/errors.h"
#include "workspace/backup.h"

#include <fmt/format.h>
#include <iostream>

namespace app {

namespace fs = std::filesystem;

ExitCode run_reset(Context& context) {
    const model::Problem problem = context.problem();
    for (std::size_t i = 0; i < problem.files.size(); ++i) {
        const fs::path file = context.learner_file(problem, problem.files[i]);
        try {
            fs::create_directories(file.parent_path());
            if (const auto backup = workspace::set_aside(file))
                std::cout << fmt::format("Your file is kept as {}\n", context.shown(*backup));
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
