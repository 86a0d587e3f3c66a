#include "app/verify/mutant_program.h"

#include "app/verify/book.h"
#include "app/verify/functions.h"
#include "build/plan.h"
#include "catalogue/source.h"
#include "isolation/compiler.h"
#include "judge.h"
#include "model/errors.h"
#include "system/process.h"

#include <algorithm>
#include <fcntl.h>
#include <fmt/format.h>
#include <set>

namespace verify {
namespace {

namespace fs = std::filesystem;

constexpr sys::RunLimits limits{.wall = std::chrono::seconds(120), .output_bytes = 16 << 20};
constexpr std::size_t most_shown = 400; ///< of a compiler's output

class Builder {
  public:
    Builder(const build::Workshop& workshop, const model::Problem& problem, int cancel_fd)
        : workshop_(workshop), problem_(problem), cancel_fd_(cancel_fd), scratch_(workshop.cache().folder()) {
        const build::Layout& layout = workshop.layout();
        isolation::CompilerAccess access;
        access.compiler = workshop.toolchain().compiler;
        access.limits.cpu = std::chrono::seconds(100); // one run does the work of two hundred
        access.limits.memory_bytes = 4ULL << 30;
        access.read = {problem.exercise, layout.exercises / "common", layout.worker_headers, layout.shim()};
        access.write = {scratch_.path()};
        confinement_ = isolation::confine_compiler(access);
    }

    void write(const std::string& name, const std::string& text) const { scratch_.write(name, text); }

    sys::RunOutcome compile(const std::string& source) const {
        std::vector<std::string> list = build::code_flags(workshop_.toolchain(), build::Variant::optimised);
        // Most of the time goes into code that runs for milliseconds.
        std::ranges::replace(list, std::string("-O2"), std::string("-O1"));
        std::erase(list, "-g1");
        for (const std::string& folder : {problem_.exercise.string(), workshop_.layout().exercises.string(),
                                          workshop_.layout().worker_headers.string()})
            list.insert(list.end(), {"-I", folder});
        // A dropped return is found where it is missed.
        list.insert(list.end(), {"-fsanitize=return", "-fsanitize-undefined-trap-on-error",
                                 "-fdiagnostics-color=never", "-fmessage-length=0"});
        list.push_back(workshop_.toolchain().family == build::Family::gcc ? "-fmax-errors=0"
                                                                          : "-ferror-limit=0");
        list.insert(list.end(), {"-c", source, "-o", "mutants.o"});
        return run(list);
    }

    sys::Fd link() const {
        const build::Toolchain& toolchain = workshop_.toolchain();
        std::vector<std::string> list{"-pie"};
        if (!toolchain.linker.empty()) list.push_back("-fuse-ld=" + toolchain.linker);
        if (toolchain.static_runtime) list.insert(list.end(), {"-static-libstdc++", "-static-libgcc"});
        list.insert(list.end(),
                    {"mutants.o", workshop_.layout().shim().string(), "-pthread", "-o", "mutants"});
        const sys::RunOutcome outcome = run(list);
        sys::Fd program(open((scratch_.path() / "mutants").c_str(), O_RDONLY | O_CLOEXEC));
        if (!outcome.ok() || !program)
            throw model::ContentError(problem_.host_reference.front().string(), "",
                                      "its mutants do not link: " + outcome.output.substr(0, most_shown));
        return program;
    }

  private:
    sys::RunOutcome run(const std::vector<std::string>& arguments) const {
        sys::Command command;
        command.program = workshop_.toolchain().compiler;
        command.arguments = arguments;
        command.environment = build::compiler_environment(scratch_.path());
        command.directory = scratch_.path();
        command.confinement = confinement_;
        sys::RunOutcome outcome = sys::run(command, limits, cancel_fd_);
        if (outcome.interrupted) throw judge::Interrupted{};
        return outcome;
    }

    const build::Workshop& workshop_;
    const model::Problem& problem_;
    int cancel_fd_;
    build::Scratch scratch_;
    std::shared_ptr<const sys::Confinement> confinement_;
};

} // namespace

std::optional<MutantProgram> build_mutants(const build::Workshop& workshop, const model::Problem& problem,
                                           const std::vector<std::string>& sources,
                                           const std::vector<Candidate>& all, std::vector<std::size_t> which,
                                           int cancel_fd) {
    const std::vector<std::string> from_contract =
        defined_functions(catalogue::read_source(problem.exercise / "contract.h", problem.exercise).text);
    for (;;) {
        const Builder builder(workshop, problem, cancel_fd);
        for (const auto& [name, text] : write_book(which, all, sources, from_contract))
            builder.write(name, text);
        const sys::RunOutcome outcome = builder.compile(book_name);
        if (outcome.ok()) return MutantProgram{builder.link(), std::move(which)};
        const std::set<std::string> bad = blamed(outcome.output);
        if (which.empty() || bad.contains(unchanged))
            throw model::ContentError(problem.host_reference.front().string(), "",
                                      "does not compile beside its mutants: " +
                                          outcome.output.substr(0, most_shown));
        if (std::erase_if(which, [&](std::size_t k) { return bad.contains(std::to_string(k)); }) == 0)
            return std::nullopt;
    }
}

} // namespace verify
