#include "build/lines.h"

#include "build/scratch.h"
#include "isolation/compiler.h"
#include "system/process.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace build {

std::string name_lines(const Workshop& workshop, const CachedWorker& worker,
                       std::vector<std::string> arguments, int cancel_fd) {
    if (arguments.empty() || workshop.toolchain().addr2line.empty()) return {};
    const Scratch scratch(workshop.cache().folder());
    isolation::CompilerAccess access;
    access.compilers = {workshop.toolchain().compiler};
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

SourceLine first_line_in(std::string_view printed, const std::vector<std::string>& files) {
    while (!printed.empty()) {
        std::string_view place = printed.substr(0, printed.find('\n'));
        printed.remove_prefix(std::min(place.size() + 1, printed.size()));
        const std::size_t colon = place.rfind(':', place.find(" (")); // "(discriminator 3)"
        if (colon == std::string_view::npos) continue;
        SourceLine found;
        std::from_chars(place.data() + colon + 1, place.data() + place.size(), found.line);
        place = place.substr(0, colon);
        found.file = place.substr(place.rfind('/') + 1);
        if (found.line > 0 && std::ranges::find(files, found.file) != files.end()) return found;
    }
    return {};
}

SourceLine line_of_frames(const Workshop& workshop, const CachedWorker& worker,
                          const std::vector<std::uint64_t>& frames, const std::vector<std::string>& files,
                          int cancel_fd) {
    if (frames.empty()) return {};
    std::vector<std::string> arguments{"-i", "-e", worker.path.string()};
    for (const std::uint64_t offset : frames)
        arguments.push_back(fmt::format("{:#x}", offset));
    return first_line_in(name_lines(workshop, worker, std::move(arguments), cancel_fd), files);
}

} // namespace build
