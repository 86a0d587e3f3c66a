#include "app/commands.h"

#include "workspace/files.h"
#include "workspace/write.h"

#include <fmt/format.h>
#include <iostream>

namespace app {

namespace fs = std::filesystem;

ExitCode run_reset(Context& context) {
    const model::Problem problem = context.problem();
    for (std::size_t i = 0; i < problem.files.size(); ++i) {
        const fs::path file = context.learner_file(problem, problem.files[i]);
        const fs::path& root = *context.workspace();
        const fs::path name = file.lexically_relative(root);
        if (const auto backup = workspace::replace(root, name, workspace::read_starter(problem.starters[i])))
            std::cout << fmt::format("Your file is kept as {}\n", context.shown(*backup));
        std::cout << fmt::format("{} is the starter again. Next: {}\n", context.shown(file),
                                 context.call()("show " + problem.id));
    }
    return ExitCode::accepted;
}

} // namespace app
