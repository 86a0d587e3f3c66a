#include "app/own_program.h"

#include "build/file.h"
#include "diagnosis/compiler.h"
#include "events/finding.h"
#include "grading/words.h"
#include "isolation/worker.h"
#include "judge.h"
#include "model/errors.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

namespace app {
namespace {

/// On the clock, beyond which even a program that only waits is ended.
constexpr std::chrono::seconds max_wall{10};

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

} // namespace

std::string contract_line(const model::Problem& problem) {
    return "#include \"" + problem.id + "/contract.h\"";
}

OwnRun run_own_program(const build::Workshop& workshop, const model::Problem& problem,
                       model::Submission implementation, const model::SourceFile& main, int cancel_fd,
                       const Aside& aside) {
    model::Problem with_main = problem;
    for (const std::string& file : problem.files)
        if (file == main.name)
            throw model::UsageError("give the program another name: " + file + " is the exercise's");
    with_main.files.push_back(main.name);
    implementation.files.push_back(main);
    implementation.shown_as.clear();

    OwnRun run;
    run.built = build::build_own_program(workshop, with_main, implementation, cancel_fd);
    if (run.built.interrupted) throw judge::Interrupted{};
    if (!run.built.ok) return run;
    sys::Command command;
    command.program = "your program";
    command.program_fd = run.built.worker.fd.get();
    command.confinement = isolation::confine_worker({problem.limits, command.program_fd, 0, false});
    sys::Fd input;
    if (!aside.input.empty()) {
        input = file_of(aside.input);
        command.fds.push_back({input.get(), 0});
    }
    run.outcome = sys::run(command, {max_wall, problem.limits.output_kib << 10}, cancel_fd, aside.listener);
    if (run.outcome->interrupted) throw judge::Interrupted{};
    return run;
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

std::string ending(const sys::RunOutcome& outcome, const model::Limits& limits) {
    if (outcome.ok()) return {};
    if (outcome.timed_out)
        return fmt::format("Your program did not end within {} s, and was stopped.", max_wall.count());
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
