#include "isolation/observe.h"

#include "isolation/ceiling.h"
#include "isolation/cgroups.h"
#include "isolation/landlock.h"
#include "isolation/level.h"
#include "isolation/worker.h"
#include "isolation/worker_root.h"
#include "model/errors.h"
#include "system/process.h"

#include <fcntl.h>
#include <future>
#include <sstream>

namespace isolation {
namespace {

constexpr sys::RunLimits canary_limits{std::chrono::seconds(5), 1 << 16};

/// Limits that a process comes up against within a millisecond or two: 4 MiB, and one thread beside the main.
constexpr Bounds small_bounds{.memory = 4ULL << 20, .tasks = 2, .tasks_of_user = false};

CanaryReport read_report(const sys::RunOutcome& outcome) {
    CanaryReport report;
    std::istringstream lines(outcome.output);
    for (std::string kind, name, value; lines >> kind >> name >> value;)
        (kind == "act" ? report.acts : report.facts)[name] = value;
    return report;
}

/// In place of an ordinary worker.
CanaryReport run_plain(const sys::Fd& program) {
    sys::Command command;
    command.program = "canary";
    command.program_fd = program.get();
    command.confinement = confine_worker({{}, program.get(), 0, false});
    return read_report(sys::run(command, canary_limits));
}

/// In place of a sanitized worker, which sees more, and has nothing but its cgroup to bound its
/// memory.
CanaryReport run_sanitized(const sys::Fd& program) {
    const WorkerAccess access{{}, program.get(), 0, true};
    sys::Command command;
    command.program = "canary";
    command.program_fd = program.get();
    const bool grouped = ceiling() == model::IsolationLevel::A && cgroup_obstacle().empty();
    command.confinement = confine(access, grouped ? small_bounds : bounds_of(access));
    if (grouped) command.arguments = {"limits"};
    CanaryReport report = read_report(sys::run(command, canary_limits));
    report.memory_bounded =
        command.confinement->cgroup && command.confinement->cgroup->reached_memory_limit();
    return report;
}

/// A sanitized worker's address space cannot be limited: its sanitizer reserves terabytes.
bool is_expected(const std::string& act) {
    return act == "address_space";
}

/// One line an act: refused to both canaries, or possible for at least one of them.
void tell(model::Isolation& isolation, const CanaryReport& plain, const CanaryReport& sanitized) {
    for (const auto& [act, answer] : plain.acts)
        (answer == "done" ? isolation.missing : isolation.observed)
            .push_back(act + (answer == "done" ? " was possible" : ": " + answer));
    for (const auto& [act, answer] : sanitized.acts) {
        const auto other = plain.acts.find(act);
        if (other == plain.acts.end() && answer != "done") isolation.observed.push_back(act + ": " + answer);
        if (answer == "done" && !is_expected(act) && (other == plain.acts.end() || other->second != "done"))
            isolation.missing.push_back(act + " was possible for a sanitized worker");
    }
}

/// What keeps this machine from the next level, and what to do about it.
std::string next_step(model::IsolationLevel level) {
    const model::IsolationLevel most = ceiling();
    if (most >= level && most != model::IsolationLevel::A)
        return "ENGINE_ISOLATION_CEILING holds it back; unset it";
    switch (level) {
    case model::IsolationLevel::A: return {};
    case model::IsolationLevel::B:
        return cgroup_obstacle().empty() ? "cgroups did not bound the canary" : cgroup_obstacle();
    case model::IsolationLevel::C:
        if (!namespace_obstacle(false).empty()) return namespace_obstacle(false);
        return namespace_obstacle(true).empty() ? "namespaces did not hide the host from the canary"
                                                : namespace_obstacle(true);
    case model::IsolationLevel::D:
        if (landlock_abi() == 0)
            return "Landlock is not in this kernel, or switched off: it takes Linux 5.13 and landlock in the "
                   "kernel's lsm= parameter";
        return "Landlock did not keep the canary from files";
    case model::IsolationLevel::E: return "the seccomp filter did not hold";
    }
    return {};
}

/// In place of a worker with a GPU's driver.
CanaryReport run_with_gpu(const std::filesystem::path& canary,
                          const std::vector<std::filesystem::path>& gpu_files,
                          const model::Launcher& launcher = {}) {
    const sys::Fd program(open(canary.c_str(), O_RDONLY | O_CLOEXEC));
    sys::Command command;
    command.program = "canary";
    command.program_fd = program.get();
    command.confinement =
        confine_worker({.program_fd = program.get(), .gpu_files = gpu_files, .launcher = launcher});
    return read_report(sys::run(command, canary_limits));
}

} // namespace

model::Isolation observe(const std::filesystem::path& canary) {
    const sys::Fd program(open(canary.c_str(), O_RDONLY | O_CLOEXEC));
    if (!program)
        throw model::EnvironmentError("cannot open " + canary.string() +
                                      ", which tests the isolation; build the engine again");
    remove_orphaned_cgroups();
    auto other = std::async(std::launch::async, run_sanitized, std::cref(program));
    const CanaryReport plain = run_plain(program);
    const CanaryReport sanitized = other.get();

    model::Isolation isolation;
    isolation.level = level_of(plain, sanitized, own_namespaces());
    tell(isolation, plain, sanitized);
    isolation.observed.push_back("namespaces: " + separate_namespaces(sanitized, own_namespaces()));
    isolation.observed.push_back("landlock: ABI " + std::to_string(landlock_abi()));
    isolation.observed.push_back(sanitized.memory_bounded ? "memory: cgroup " + cgroup_version()
                                                          : "memory: address space; sanitized: watched");
    if (std::string step = next_step(isolation.level); !step.empty()) isolation.missing.push_back(step);
    return isolation;
}

std::vector<std::string> observe_with_gpu(const std::filesystem::path& canary,
                                          const std::vector<std::filesystem::path>& gpu_files) {
    const CanaryReport report = run_with_gpu(canary, gpu_files);
    if (const std::vector<std::string> possible = possible_with_gpu(report); !possible.empty())
        throw model::EnvironmentError(
            "not run on the GPU: besides using its driver, a worker could do what none may (" +
            possible.front() + "); say --device emulated");
    std::vector<std::string> observed;
    for (const auto& [act, answer] : report.acts)
        if (answer != "done") observed.push_back(act + ": " + answer);
    return observed;
}

std::string obstacle_to_launcher(const std::filesystem::path& canary,
                                 const std::vector<std::filesystem::path>& gpu_files,
                                 const model::Launcher& launcher) {
    try {
        const std::vector<std::string> possible =
            possible_with_gpu(run_with_gpu(canary, gpu_files, launcher), true);
        return possible.empty() ? ""
                                : "a submission below it could do what none may (" + possible.front() + ")";
    } catch (const model::EnvironmentError& error) {
        return error.what();
    }
}

} // namespace isolation
