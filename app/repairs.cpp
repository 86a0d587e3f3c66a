#include "app/repairs.h"

#include "build/file.h"
#include "model/errors.h"
#include "workspace/backup.h"

#include <cerrno>
#include <cstring>
#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

namespace fs = std::filesystem;

void write(const fs::path& file, std::string_view text) {
    if (!build::write_atomically(file, text, 0644))
        throw model::EnvironmentError("cannot write " + file.string() + ": " + std::strerror(errno) +
                                      "; is the disk full, or the folder not yours?");
}

} // namespace

fs::path repair_folder(const Context& context, const std::string& problem_id) {
    if (!context.workspace())
        throw model::UsageError("there is no workspace here; make one with: " + context.call()("init DIR"));
    return *context.workspace() / "harden" / problem_id;
}

void hand_out(const Context& context, const model::Problem& problem, const store::Plant& plant) {
    const fs::path folder = repair_folder(context, problem.id);
    const fs::path file = folder / plant.file;
    try {
        fs::create_directories(folder);
        if (const auto backup = workspace::set_aside(file))
            std::cout << context.fitted("What was there is kept as " + context.shown(*backup) + "\n\n");
    } catch (const fs::filesystem_error& error) {
        throw model::EnvironmentError("cannot write " + file.string() + ": " + error.code().message() +
                                      "; is the folder writable?");
    }
    write(file, plant.text);
    // So that editors find it.
    write(folder / "contract.h", fmt::format("#include \"../../exercises/{}/contract.h\"\n", problem.id));
    write(folder / "symptom.txt", plant.symptom + "\n");
}

} // namespace app
