#include "kit/make.h"

#include "build/plan.h"
#include "build/scratch.h"
#include "build/stages.h"
#include "model/errors.h"
#include "system/process.h"

#include <fmt/format.h>
#include <future>

namespace kit {
namespace {

namespace fs = std::filesystem;

/// One run compiles sixteen mistakes, or a suite.
constexpr sys::RunLimits limits{.wall = std::chrono::minutes(10), .output_bytes = 1 << 20};
constexpr rlim_t max_cpu_seconds = 120;
constexpr rlim_t max_memory = 4ULL << 30;
constexpr rlim_t max_nvcc_memory = 8ULL << 30; // of addresses: it reserves far more than it uses
constexpr rlim_t max_product = 128ULL << 20;
constexpr std::size_t max_shown_lines = 12; ///< of a compiler's output

std::shared_ptr<const sys::Confinement> bounds(rlim_t memory) {
    auto confinement = std::make_shared<sys::Confinement>();
    confinement->limits = {
        {RLIMIT_CPU, max_cpu_seconds}, {RLIMIT_CORE, 0}, {RLIMIT_FSIZE, max_product}, {RLIMIT_AS, memory}};
    return confinement;
}

/// The compiler's words from the first error on.
std::string errors_of(const std::string& output) {
    std::size_t begin = output.find("error: ");
    begin = begin == std::string::npos ? 0 : output.rfind('\n', begin) + 1;
    std::size_t end = begin;
    for (std::size_t lines = 0; lines < max_shown_lines && end < output.size(); ++lines)
        end = std::min(output.find('\n', end), output.size() - 1) + 1;
    return output.substr(begin, end - begin);
}

class Job {
  public:
    Job(const Plan& plan, const build::Workshop& workshop, Slots& slots, int niceness, int cancel_fd)
        : plan_(plan), workshop_(workshop), slots_(slots), niceness_(niceness), cancel_fd_(cancel_fd),
          prelude_(std::visit([&](const auto& prelude) { return ready(prelude); }, plan.prelude)),
          scratch_(workshop.cache().folder()) {
        for (const auto& [path, text] : plan.files)
            scratch_.write(path, text);
    }

    std::string run() {
        std::vector<std::future<void>> others;
        for (std::size_t i = 1; i < plan_.translations.size(); ++i)
            others.push_back(std::async(std::launch::async, [this, i] { compile(plan_.translations[i]); }));
        compile(plan_.translations.front());
        for (std::future<void>& other : others)
            other.get();
        if (!plan_.link.empty()) link();
        auto bytes = scratch_.take(plan_.product, max_product);
        if (!bytes)
            throw model::EnvironmentError("the compiler ended well but made no " + plan_.product + " in " +
                                          scratch_.path().string() + "; see `engine doctor`");
        return std::move(*bytes);
    }

  private:
    fs::path ready(build::Prelude prelude) const {
        return workshop_.preludes().ready(prelude, plan_.variant, cancel_fd_);
    }
    fs::path ready(const build::Header& header) const {
        return workshop_.preludes().ready(header, cancel_fd_);
    }

    sys::RunOutcome start(std::vector<std::string> arguments) const {
        sys::Command command;
        command.program = plan_.nvcc.empty() ? workshop_.toolchain().compiler : plan_.nvcc;
        command.arguments = std::move(arguments);
        command.environment = build::compiler_environment(scratch_.path());
        command.directory = scratch_.path();
        command.confinement = bounds_;
        command.niceness = niceness_;
        const Slots::Taken slot(slots_, cancel_fd_);
        sys::RunOutcome outcome =
            plan_.nvcc.empty()
                ? build::run_compiler(workshop_.toolchain(), workshop_.layout(), command, limits, cancel_fd_)
                      .outcome
                : sys::run(command, limits, cancel_fd_);
        if (outcome.interrupted) throw model::Interrupted{};
        return outcome;
    }

    void compile(const Plan::Translation& translation) const {
        std::vector<std::string> arguments = build::prelude_flags(workshop_.toolchain(), prelude_);
        const bool with_prelude = !prelude_.empty() && takes_prelude(translation);
        if (!with_prelude) arguments.clear();
        arguments.insert(arguments.end(), translation.arguments.begin(), translation.arguments.end());
        sys::RunOutcome outcome = start(std::move(arguments));
        // The disk may have damaged it, or another engine may have been making it anew just then.
        if (with_prelude && !outcome.ok() &&
            (outcome.exit.signalled ||
             outcome.output.find(prelude_.parent_path().string()) != std::string::npos))
            outcome = start(translation.arguments);
        if (!outcome.ok()) refuse(translation.source, outcome);
    }

    /// References are plain C++ that includes next to nothing.
    static bool takes_prelude(const Plan::Translation& translation) {
        return !translation.source.starts_with("reference/");
    }

    void link() const {
        const sys::RunOutcome outcome = start(plan_.link);
        if (!outcome.ok()) refuse(fmt::format("the {} of {}", name(plan_.part), plan_.id), outcome);
    }

    [[noreturn]] void refuse(const std::string& what, const sys::RunOutcome& outcome) const {
        std::string words = outcome.timed_out || outcome.exit.signalled
                                ? std::string("the compiler was stopped at a limit of 120 s and 4 GiB")
                                : errors_of(outcome.output);
        while (words.ends_with('\n'))
            words.pop_back();
        throw model::ContentError(fmt::format("{} is broken: cannot compile {}:\n{}", plan_.id, what, words));
    }

    const Plan& plan_;
    const build::Workshop& workshop_;
    Slots& slots_;
    int niceness_;
    int cancel_fd_;
    fs::path prelude_;
    build::Scratch scratch_;
    std::shared_ptr<const sys::Confinement> bounds_ =
        bounds(plan_.nvcc.empty() ? max_memory : max_nvcc_memory);
};

} // namespace

std::string make(const Plan& plan, const build::Workshop& workshop, Slots& slots, int niceness,
                 int cancel_fd) {
    return Job(plan, workshop, slots, niceness, cancel_fd).run();
}

} // namespace kit
