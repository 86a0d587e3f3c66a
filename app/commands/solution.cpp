#include "app/commands.h"

#include "model/errors.h"

#include <fstream>
#include <iostream>
#include <iterator>

namespace app {

ExitCode run_solution(Context& context) {
    const model::Problem problem = context.problem();
    const store::Store* store = context.progress();
    if (store == nullptr || !store->progress(problem.id).accepted)
        throw model::UsageError(
            "the reference for " + problem.id +
            " is shown once your own solution is accepted: " + context.call()("submit-build " + problem.id));
    for (const auto& file : problem.reference) {
        std::ifstream text(file);
        std::cout << "// " << file.filename().string() << "\n"
                  << std::string(std::istreambuf_iterator<char>(text), {});
    }
    return ExitCode::accepted;
}

} // namespace app
