#include "build/stages.h"

#include "build/scratch.h"
#include "model/errors.h"
#include "system/pipe.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

namespace build {
namespace {

std::vector<sys::StageReport> read_reports(int fd) {
    std::vector<sys::StageReport> ended;
    sys::StageReport report{};
    while (read(fd, &report, sizeof report) == sizeof report)
        ended.push_back(report);
    return ended;
}

CompilerRun run_once(const Toolchain& toolchain, const Layout& layout, sys::Command command,
                     const sys::RunLimits& limits, int cancel_fd) {
    CompilerRun run;
    run.watched = toolchain.family == Family::gcc && !layout.stage().empty();
    if (!run.watched) {
        run.outcome = sys::run(command, limits, cancel_fd);
        return run;
    }
    const sys::Pipe reports = sys::make_pipe();
    const sys::Pipe engine = sys::make_pipe(); // the stages notice that its other end is gone
    sys::set_nonblocking(reports.read.get());
    command.arguments.insert(command.arguments.end(), {"-wrapper", layout.stage().string()});
    command.fds.push_back({reports.write.get(), sys::stage_report_fd});
    command.fds.push_back({engine.read.get(), sys::stage_engine_fd});
    run.outcome = sys::run(command, limits, cancel_fd);
    run.stages = read_reports(reports.read.get());
    return run;
}

bool can_write_to(const std::filesystem::path& folder) {
    const sys::Fd file(open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0600));
    const std::string some(1 << 20, '\1');
    return file && write(file.get(), some.data(), some.size()) == static_cast<ssize_t>(some.size());
}

Machine look_at_machine(const std::filesystem::path& folder) {
    constexpr std::uint64_t needed =
        4 * min_free_bytes; // for what a compiler writes besides, and takes away again
    constexpr rlim_t few = 128;
    rlimit files{};
    const bool known = getrlimit(RLIMIT_NOFILE, &files) == 0;
    return {.disk_is_full = free_bytes(folder) < needed || !can_write_to(folder),
            .few_descriptors = known && files.rlim_max < few};
}

} // namespace

CompilerRun run_compiler(const Toolchain& toolchain, const Layout& layout, sys::Command command,
                         const sys::RunLimits& limits, int cancel_fd) {
    CompilerRun run = run_once(toolchain, layout, command, limits, cancel_fd);
    if (killed_from_outside(run)) run = run_once(toolchain, layout, command, limits, cancel_fd);
    const auto fail = [&](const std::string& why) {
        throw model::EnvironmentError("the compiler could not do its work in " + command.directory.string() +
                                      ": " + why + "; this says nothing about the program");
    };
    if (killed_from_outside(run)) fail("it was killed twice, and not by the engine; is memory short?");
    if (run.outcome.ok() || run.outcome.interrupted) return run;
    if (const auto fault = fault_of_ours(run, look_at_machine(command.directory))) fail(*fault);
    return run;
}

std::string in_words(const sys::Command& command) {
    return fmt::format("starts {} {}", command.program.string(), fmt::join(command.arguments, " "));
}

std::string in_words(const sys::RunOutcome& outcome) {
    const std::string_view why = outcome.interrupted       ? "interrupted"
                                 : outcome.timed_out       ? "timed out"
                                 : outcome.output_exceeded ? "printed too much"
                                 : outcome.exit.signalled  ? "ended by signal"
                                                           : "exit status";
    return fmt::format("{} {} after {} ms, {} bytes of messages", why, outcome.exit.code,
                       outcome.wall.count() / 1000, outcome.output.size());
}

} // namespace build
