#include "build/lines.h"

#include "build/scratch.h"
#include "isolation/compiler.h"
#include "system/process.h"

namespace build {

std::string name_lines(const Workshop& workshop, const CachedWorker& worker,
                       std::vector<std::string> arguments, int cancel_fd) {
    if (arguments.empty() || workshop.toolchain().addr2line.empty()) return {};
    const Scratch scratch(workshop.cache().folder());
    isolation::CompilerAccess access;
    access.compiler = workshop.toolchain().compiler;
    access.read = {worker.path};
    access.write = {scratch.path()};

    sys::Command command;
    command.program = workshop.toolchain().addr2line;
    command.arguments = std::move(arguments);
    command.environment = compiler_environment(scratch.path());
    command.directory = scratch.path();
    command.confinement = isolation::confine_compiler(access);
    const sys::RunOutcome outcome =
        sys::run(command, {.wall = std::chrono::seconds(10), .output_bytes = 4 << 20}, cancel_fd);
    return outcome.ok() ? outcome.output : std::string{};
}

} // namespace build
