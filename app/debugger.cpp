#include "app/debugger.h"

#include "isolation/compiler.h"
#include "judge.h"
#include "model/errors.h"
#include "system/on_terminal.h"
#include "system/process.h"
#include "text/clean.h"
#include "text/screen.h"

#include <cstdlib>
#include <fmt/format.h>
#include <iostream>
#include <poll.h>

namespace app {
namespace {

namespace fs = std::filesystem;

/// Where nobody is at a terminal, whatever goes on is ended after this.
constexpr std::chrono::seconds longest_run{30};
constexpr std::uint64_t longest_output = 1 << 20;

/// Nobody waits at a debugger's prompt in CPU time.
constexpr isolation::CompilerLimits generous{std::chrono::hours(1), 4ULL << 30};

constexpr std::string_view first_settings = R"(set confirm off
set history save off
set debuginfod enabled off
set startup-with-shell off
unset environment
set print frame-arguments all
set filename-display basename
set width 0
)";

/// The functions of the learner's files alone: contracts may call them through functions of their own.
constexpr std::string_view stop_at_call = R"(set logging file /dev/null
set logging redirect on
set logging enabled on
tbreak engine_failing_call
run
{}set logging enabled off
continue
delete breakpoints
)";

constexpr std::string_view to_the_end = R"(echo \nFrom here to the end of the call:\n
finish
)";

constexpr std::string_view first_words =
    R"(echo \nnext: one line further. step: into a function. print NAME: show a value. continue: run on. quit: leave.\n
)";

/// A call that came to its end stops with SIGTRAP, 5.
constexpr std::string_view tell_where = R"(if $_isvoid($_exitcode)
if $_siginfo.si_signo != 5
backtrace -frame-arguments scalars
echo \nThe variables there:\n
info locals
end
end
)";

} // namespace

fs::path find_debugger() {
    std::error_code ignored;
    for (const char* file : {"/usr/bin/gdb", "/usr/local/bin/gdb"})
        if (fs::is_regular_file(file, ignored)) return file;
    throw model::EnvironmentError("this command runs your code in gdb, which is not installed; install it "
                                  "with: apt-get install gdb");
}

std::string debugger_script(const model::Problem& problem, std::uint64_t call, bool asks, bool colour) {
    std::string script(first_settings);
    if (!colour) script += "set style enabled off\n";
    if (!asks) script += "set pagination off\n";
    script += fmt::format("set args {} {}\n", recorded_calls, call);
    if (call == 0) {
        script += "run\n";
    } else {
        std::string breakpoints;
        for (const std::string& file : problem.files)
            breakpoints += fmt::format("rbreak {}:.\n", file);
        script += fmt::format(stop_at_call, breakpoints);
    }
    if (asks) return script.append(first_words);
    if (call != 0) script += to_the_end;
    return script.append(tell_where);
}

std::string run_debugger(const build::Workshop& workshop, const build::Scratch& scratch,
                         const fs::path& debugger, bool asks, int cancel_fd) {
    isolation::CompilerAccess access;
    access.compilers = {workshop.toolchain().compiler};
    access.hidden = build::hidden_from_compilers(workshop);
    access.read = {scratch.path(), "/usr/share/gdb", "/usr/share/gcc", "/usr/share/terminfo"};
    access.execute = {scratch.path() / debugged_program};
    access.limits = generous;

    const char* terminal = std::getenv("TERM");
    sys::Command command;
    command.program = debugger;
    command.arguments = {"-q", "-nx"};
    if (!asks) command.arguments.push_back("-batch");
    command.arguments.insert(command.arguments.end(), {"-x", debugger_script_name, debugged_program});
    command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=/",
                           std::string("TERM=") + (terminal != nullptr && asks ? terminal : "dumb")};
    command.directory = scratch.path();
    command.confinement = isolation::confine_debugger(access);
    if (asks) {
        text::Screen screen;
        sys::run_on_terminal(command, cancel_fd, [&](std::string_view printed) {
            return printed.empty() ? screen.ending() : screen.passed(printed);
        });
        pollfd cancelled{cancel_fd, POLLIN, 0};
        if (poll(&cancelled, 1, 0) > 0) throw judge::Interrupted{};
        return {};
    }
    const sys::RunOutcome outcome = sys::run(command, {longest_run, longest_output}, cancel_fd);
    if (outcome.interrupted) throw judge::Interrupted{};
    if (outcome.output.empty())
        throw model::EnvironmentError(
            debugger.string() +
            " could not run the program in its sandbox; the command doctor says what this machine lacks");
    std::cout << text::printable(outcome.output) << std::flush;
    if (outcome.timed_out) return fmt::format("It ran for {} s, and was stopped.", longest_run.count());
    if (outcome.output_exceeded)
        return fmt::format("It printed more than {} KiB, and was stopped.", longest_output >> 10);
    return {};
}

} // namespace app
