#include "app/teaching/slurm_client.h"

#include "model/errors.h"
#include "system/process.h"

#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>
#include <unistd.h>

namespace teaching {
namespace {

namespace fs = std::filesystem;

fs::path program_called(const std::string& name) {
    const char* search = std::getenv("PATH");
    std::istringstream folders(search == nullptr ? "/usr/bin:/bin" : search);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (fs::path program = fs::path(folder) / name; access(program.c_str(), X_OK) == 0) return program;
    throw model::EnvironmentError("Slurm is not here: there is no " + name +
                                  "; install it, or use --executor local");
}

sys::RunOutcome ask(const fs::path& program, std::vector<std::string> arguments) {
    sys::Command command;
    command.program = program;
    command.arguments = std::move(arguments);
    for (char** variable = environ; *variable != nullptr; ++variable)
        command.environment.emplace_back(*variable);
    return sys::run(command, {std::chrono::seconds(60), 1 << 20});
}

} // namespace

SlurmClient::SlurmClient()
    : sbatch_(program_called("sbatch")), squeue_(program_called("squeue")),
      scancel_(program_called("scancel")) {}

std::uint64_t SlurmClient::submit(const JobArray& array) const {
    std::vector<std::string> arguments{"--parsable", "--job-name=engine-grade", "--no-requeue",
                                       fmt::format("--array=0-{}", array.tasks - 1),
                                       "--output=" + (array.log_folder / "%a").string()};
    if (!array.partition.empty()) arguments.push_back("--partition=" + array.partition);
    if (array.on_gpu) arguments.emplace_back("--gres=gpu:1");
    if (!array.not_there.empty())
        arguments.push_back(fmt::format("--exclude={}", fmt::join(array.not_there, ",")));
    arguments.push_back(array.script.string());
    arguments.insert(arguments.end(), array.arguments.begin(), array.arguments.end());
    const sys::RunOutcome outcome = ask(sbatch_, std::move(arguments));
    const std::uint64_t job = std::strtoull(outcome.output.c_str(), nullptr, 10); // "12" or "12;cluster"
    if (!outcome.ok() || job == 0)
        throw model::EnvironmentError("Slurm did not take the job: " +
                                      (outcome.timed_out        ? "sbatch does not answer"
                                       : outcome.output.empty() ? "sbatch was ended and said nothing"
                                                                : outcome.first_line()));
    return job;
}

std::optional<bool> SlurmClient::is_active(std::uint64_t job) const {
    const sys::RunOutcome outcome =
        ask(squeue_, {"--noheader", "--format=%T", "--jobs=" + std::to_string(job)});
    if (outcome.ok()) return !outcome.output.empty();
    // A job that Slurm has forgotten is an error of squeue's, too.
    if (outcome.output.find("Invalid job id") != std::string::npos) return false;
    return std::nullopt;
}

void SlurmClient::cancel(std::uint64_t job) const {
    (void)ask(scancel_, {std::to_string(job)}); // it may have ended by itself
}

} // namespace teaching
