#include "app/repairs.h"

#include "model/errors.h"
#include "workspace/write.h"

#include <fmt/format.h>
#include <iostream>

namespace app {

namespace fs = std::filesystem;

fs::path repair_folder(const Context& context, const std::string& problem_id) {
    if (!context.workspace())
        throw model::UsageError("there is no workspace here; make one with: " + context.call()("init DIR"));
    return *context.workspace() / "harden" / problem_id;
}

void hand_out(const Context& context, const model::Problem& problem, const store::Plant& plant) {
    const fs::path& root = *context.workspace();
    const fs::path folder = repair_folder(context, problem.id).lexically_relative(root);
    if (const auto backup = workspace::replace(root, folder / plant.file, plant.text))
        std::cout << context.fitted("What was there is kept as " + context.shown(*backup) + "\n\n");
    // So that editors find it.
    workspace::write(root, folder / "contract.h",
                     fmt::format("#include \"../../exercises/{}/contract.h\"\n", problem.id));
    workspace::write(root, folder / "symptom.txt", plant.symptom + "\n");
}

} // namespace app
