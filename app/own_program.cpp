#include "app/own_program.h"

#include "build/file.h"
#include "build/lines.h"
#include "build/plan.h"
#include "diagnosis/compiler.h"
#include "emulator/locations.h"
#include "emulator/own_trace.h"
#include "emulator/trace_json.h"
#include "events/finding.h"
#include "grading/device_words.h"
#include "grading/words.h"
#include "isolation/worker.h"
#include "judge.h"
#include "model/errors.h"
#include "system/time_limit.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace app {
namespace {

/// A file without a name, to be read from its beginning and not to be changed. A pipe would have to be fed
/// while the program runs.
sys::Fd file_of(const std::string& text) {
    constexpr int unchanging = F_SEAL_WRITE | F_SEAL_GROW | F_SEAL_SHRINK | F_SEAL_SEAL;
    sys::Fd file(memfd_create("input", MFD_CLOEXEC | MFD_ALLOW_SEALING));
    if (!file || !build::write_all(file.get(), text) || lseek(file.get(), 0, SEEK_SET) != 0 ||
        fcntl(file.get(), F_ADD_SEALS, unchanging) != 0)
        throw model::EnvironmentError(std::string("cannot keep a program's input in memory: ") +
                                      std::strerror(errno));
    return file;
}

/// The two as one submission for a problem of all their files.
struct Joined {
    model::Problem problem;
    model::Submission submission;
};

Joined join(const model::Problem& problem, const model::Submission& implementation,
            const OwnProgram& program) {
    // The program's files are compiled first, where the implementation cannot be read yet.
    Joined joined{problem, implementation};
    joined.problem.files.clear();
    joined.submission.files = program.files;
    for (const model::SourceFile& file : program.files) {
        if (!build::is_file_argument(file.name))
            throw model::UsageError("give the program another name: a compiler takes " + file.name +
                                    " for an option");
        if (std::ranges::find(problem.files, file.name) != problem.files.end())
            throw model::UsageError("give the program another name: " + file.name + " is the exercise's");
        if (std::ranges::find(joined.problem.files, file.name) != joined.problem.files.end())
            throw model::UsageError("two files of the program are called " + file.name +
                                    "; give one another name");
        joined.problem.files.push_back(file.name);
    }
    joined.problem.files.insert(joined.problem.files.end(), problem.files.begin(), problem.files.end());
    joined.submission.files.insert(joined.submission.files.end(), implementation.files.begin(),
                                   implementation.files.end());
    joined.submission.headers = program.headers;
    joined.submission.shown_as.clear();
    return joined;
}

sys::RunOutcome run_built(const build::Built& built, const model::Limits& limits, sys::Command command,
                          std::uint64_t shared_bytes, int cancel_fd, const Aside& aside) {
    command.program = "your program";
    command.program_fd = built.worker.fd.get();
    command.confinement = isolation::confine_worker({limits, command.program_fd, shared_bytes, false});
    sys::RunOutcome outcome =
        sys::run(command, {aside.wall, limits.output_kib << 10, true}, cancel_fd, aside.listener);
    if (outcome.interrupted) throw judge::Interrupted{};
    return outcome;
}

/// The trace that a program left in shared memory; nothing if it left none. The program's memory, so its
/// words are read once and may be anything.
std::optional<emulator::Trace> read_trace(int memory) {
    std::uint64_t size = 0;
    if (pread(memory, &size, sizeof size, 0) != sizeof size || size == 0 ||
        size > emulator::own_trace_bytes - sizeof size)
        return std::nullopt;
    std::string text(size, '\0');
    if (pread(memory, text.data(), size, sizeof size) != static_cast<ssize_t>(size)) return std::nullopt;
    return emulator::parse_trace(text);
}

std::string time_words(model::OutOfTime why, std::chrono::seconds limit) {
    switch (why) {
    case model::OutOfTime::computing:
        return fmt::format("Your program did not end within {} s of CPU time, and was stopped.",
                           limit.count());
    case model::OutOfTime::sleeping:
        return fmt::format("Your program waited for {} s without doing anything, and was stopped.",
                           limit.count());
    case model::OutOfTime::crowded:
        return fmt::format(
            "Your program did not end within {} s, since other programs keep the machine busy, and was "
            "stopped. Try again when less is running.",
            sys::max_slowdown * limit.count());
    case model::OutOfTime::unknown:
    case model::OutOfTime::budget: break;
    }
    return fmt::format("Your program did not end within {} s, and was stopped.", limit.count());
}

} // namespace

std::string contract_line(const model::Problem& problem) {
    return "#include \"" + problem.id + "/contract.h\"";
}

OwnRun run_own_program(const build::Workshop& workshop, const model::Problem& problem,
                       const model::Submission& implementation, const OwnProgram& program, int cancel_fd,
                       const Aside& aside) {
    const Joined joined = join(problem, implementation, program);
    OwnRun run;
    run.built = build::build_own_program(workshop, joined.problem, joined.submission,
                                         build::judged_variant(problem.language), cancel_fd);
    if (run.built.interrupted) throw judge::Interrupted{};
    if (!run.built.ok) return run;
    sys::Command command;
    sys::Fd input;
    if (!aside.input.empty()) {
        input = file_of(aside.input);
        command.fds.push_back({input.get(), 0});
    }
    run.outcome = run_built(run.built, problem.limits, std::move(command), 0, cancel_fd, aside);
    return run;
}

Observed observe_own_program(const build::Workshop& workshop, const model::Problem& problem,
                             const model::Submission& implementation, const OwnProgram& program,
                             std::future<bool> ready, int cancel_fd, std::chrono::seconds wall) {
    const build::Variant variant = build::checked_variant(problem.language);
    const Joined joined = join(problem, implementation, program);
    const build::Built built =
        build::build_own_program(workshop, joined.problem, joined.submission, variant, cancel_fd);
    if (!ready.get() || built.interrupted) return {};
    if (!built.ok) return {{}, "Its kernels were not observed: the build for that does not compile."};
    const sys::Fd memory(memfd_create("trace", MFD_CLOEXEC));
    if (!memory || ftruncate(memory.get(), emulator::own_trace_bytes) != 0)
        throw model::EnvironmentError(std::string("cannot share memory with a program: ") +
                                      std::strerror(errno));
    sys::Command command;
    command.fds.push_back({memory.get(), emulator::own_trace_descriptor});
    const sys::RunOutcome outcome =
        run_built(built, build::limits_of(problem.limits, variant), std::move(command),
                  emulator::own_trace_bytes, cancel_fd, {{}, {}, wall});
    auto trace = read_trace(memory.get());
    if (!trace && outcome.timed_out)
        return {{},
                fmt::format("Its kernels were not observed: that takes more than {} s here; --limit SECONDS "
                            "gives it longer.",
                            wall.count())};
    if (!trace) return {{}, "Its kernels were not observed: the program ended before it said what they did."};
    std::vector<std::string> arguments = emulator::addr2line_arguments(*trace, built.worker.path.string());
    if (!arguments.empty()) {
        arguments.erase(arguments.begin()); // the program's name
        emulator::apply_locations(*trace,
                                  build::name_lines(workshop, built.worker, std::move(arguments), cancel_fd));
    }
    std::vector<std::string> files = joined.problem.files;
    for (const model::SourceFile& header : program.headers)
        files.push_back(std::filesystem::path(header.name).filename().string());
    Observed observed;
    for (const emulator::Finding& finding : trace->findings) {
        // A read and a write of one statement make two findings in the same words.
        std::string says = grading::message_of(grading::describe(finding, "", files));
        if (std::ranges::find(observed.findings, says) == observed.findings.end())
            observed.findings.push_back(std::move(says));
    }
    return observed;
}

std::string errors_of(const build::Built& built, const std::map<std::string, std::string>& shown) {
    std::string text;
    for (const model::Diagnostic& diagnostic : built.diagnostics) {
        if (diagnostic.severity != model::Severity::error) continue;
        const auto path = shown.find(diagnostic.file);
        std::string place = path == shown.end() ? diagnostic.file : path->second;
        if (diagnostic.line > 0) place += fmt::format(":{}:{}", diagnostic.line, diagnostic.column);
        text += fmt::format("{}{}error: {}\n", place, place.empty() ? "" : ": ", diagnostic.message);
        const bool no_main = diagnostic.message.find("reference to 'main'") != std::string::npos;
        const std::string plain = no_main ? "A program begins with its main: write int main() { ... }."
                                          : diagnosis::explain(diagnostic, built.defined);
        if (!plain.empty()) text += "  " + plain + "\n";
    }
    return text;
}

std::string ending(const sys::RunOutcome& outcome, const model::Limits& limits, std::chrono::seconds wall) {
    if (outcome.ok()) return {};
    if (outcome.timed_out) return time_words(outcome.out_of_time, wall);
    if (outcome.output_exceeded)
        return fmt::format("Your program printed more than {} KiB, and was stopped.", limits.output_kib);
    if (!outcome.exit.signalled && !outcome.exit.memory_exceeded)
        return fmt::format("Your program ended with status {}.", outcome.exit.code);
    const events::Finding death{.kind = events::Finding::Kind::died,
                                .function = "Your program",
                                .fate = outcome.exit.memory_exceeded ? model::Fate::memory_exceeded
                                                                     : model::Fate::signalled,
                                .code = outcome.exit.code,
                                .peak_kib = outcome.exit.peak_kib};
    const std::string words = grading::words_for(death, limits);
    return words.substr(0, words.find('\n')) + ".";
}

} // namespace app
