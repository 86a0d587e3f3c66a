#include "build/gpu_program.h"

#include "build/digest.h"
#include "build/file.h"
#include "build/gpu.h"
#include "build/nvcc.h"
#include "build/plan.h"
#include "build/scratch.h"
#include "isolation/files.h"
#include "isolation/worker.h"
#include "model/errors.h"

#include <fmt/format.h>

namespace build {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t max_program = 64ULL << 20;
/// Of a context on a machine with many GPUs, with room to spare. A GPU that has hung never answers.
constexpr sys::RunLimits run_limits{.wall = std::chrono::seconds(20), .output_bytes = 1 << 14};

sys::RunOutcome run(const Scratch& scratch, const fs::path& program, std::vector<std::string> arguments,
                    int cancel_fd) {
    sys::Command command;
    command.program = program;
    command.arguments = std::move(arguments);
    command.environment = compiler_environment(scratch.path());
    command.directory = scratch.path();
    sys::RunOutcome outcome =
        sys::run(command, {.wall = std::chrono::seconds(60), .output_bytes = 1 << 20}, cancel_fd);
    if (outcome.interrupted) throw model::Interrupted{};
    return outcome;
}

/// The program, with nvcc's list of GPUs as its note; or why there is none.
std::variant<CachedWorker, std::string> make_program(const Workshop& workshop, const fs::path& source,
                                                     int cancel_fd) {
    const Toolchain& toolchain = workshop.toolchain();
    const std::string key = Digest()
                                .add("engine.gpu_program/1")
                                .add(toolchain.identity)
                                .add(stamp(toolchain.cudart))
                                .add(read_if_there(source))
                                .hex();
    if (auto known = workshop.cache().find(key)) return std::move(*known);

    workshop.progress("trying out nvcc (once)");
    const Scratch scratch(workshop.cache().folder());
    const std::string known = run(scratch, toolchain.nvcc, {"--list-gpu-code"}, cancel_fd).output;
    std::vector<std::string> compile = nvcc_flags(toolchain, "");
    std::erase(compile, "");
    compile.insert(compile.end(), {"-c", source.string(), "-o", "program.o"});
    if (const sys::RunOutcome compiled = run(scratch, toolchain.nvcc, compile, cancel_fd); !compiled.ok())
        return fmt::format("nvcc {} does not work here: {}", toolchain.nvcc_version, compiled.first_line());

    std::vector<std::string> link{"-pie"};
    if (toolchain.static_runtime) link.insert(link.end(), {"-static-libstdc++", "-static-libgcc"});
    link.insert(link.end(),
                {"program.o", toolchain.cudart.string(), "-ldl", "-lrt", "-pthread", "-o", "program"});
    const sys::RunOutcome linked = run(scratch, toolchain.compiler, link, cancel_fd);
    auto program = scratch.take("program", max_program);
    if (!linked.ok() || !program) return "a program for the GPU cannot be linked: " + linked.first_line();
    return workshop.cache().store(key, std::move(*program), known);
}

} // namespace

std::variant<GpuAnswer, std::string> run_gpu_program(const Workshop& workshop, const fs::path& source,
                                                     int cancel_fd) {
    auto made = make_program(workshop, source, cancel_fd);
    if (auto* why = std::get_if<std::string>(&made)) return std::move(*why);
    const auto& program = std::get<CachedWorker>(made);

    sys::Command command;
    command.program = source.stem().string();
    command.program_fd = program.fd.get();
    const std::vector<fs::path> files = gpu_files(workshop.layout());
    command.environment = {"LC_ALL=C.UTF-8"};
    if (std::string path = isolation::library_path(files); !path.empty())
        command.environment.push_back(std::move(path));
    command.confinement = isolation::confine_worker({.program_fd = program.fd.get(), .gpu_files = files});
    GpuAnswer answer{sys::run(command, run_limits, cancel_fd), program.note};
    if (answer.outcome.interrupted) throw model::Interrupted{};
    if (answer.outcome.timed_out)
        return fmt::format("the GPU gave no answer within {} s",
                           std::chrono::duration_cast<std::chrono::seconds>(run_limits.wall).count());
    return answer;
}

} // namespace build
