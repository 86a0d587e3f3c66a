#include "build/compile.h"

#include "build/access.h"
#include "build/chosen_options.h"
#include "build/contract_names.h"
#include "build/diagnostics.h"
#include "build/limits.h"
#include "build/locate.h"
#include "build/never_returns.h"
#include "build/note.h"
#include "build/nvcc.h"
#include "build/own_link.h"
#include "build/scratch.h"
#include "build/source_check.h"
#include "build/sources.h"
#include "build/stages.h"
#include "build/symbol_rules.h"
#include "build/symbols.h"
#include "build/worker_key.h"
#include "emulator/rewrite.h"
#include "isolation/compiler.h"
#include "model/errors.h"
#include "system/process.h"

#include <algorithm>

namespace build {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t largest_program = 64ULL << 20;

/// One build in its own scratch folder.
class Job {
  public:
    Job(const Workshop& workshop, const model::Problem& problem, const CallTable* table,
        const model::Submission& submission, Variant variant, int cancel_fd)
        : workshop_(workshop), problem_(problem), submission_(submission), table_(table), variant_(variant),
          cancel_fd_(cancel_fd), scratch_(workshop.cache().folder()),
          sources_(scratch_, submission, main() == Main::learner, is_emulated(variant)),
          prelude_(is_for_gpu(variant)
                       ? fs::path()
                       : workshop.preludes().ready(choose_prelude(submission, problem.language), variant,
                                                   cancel_fd)),
          plan_(make_plan(problem, workshop.toolchain(), workshop.layout(), variant,
                          {scratch_.path(), prelude_, table == nullptr ? "" : table->gpu_code,
                           !submission.headers.empty()},
                          main())) {
        sources_.begin(plan_, problem.files);
        confinement_ = isolation::confine_compiler(
            access_for(workshop, problem, variant, main(), scratch_.path(), prelude_));
    }

    const fs::path& prelude() const { return prelude_; }
    bool prelude_suspected() const { return prelude_suspected_; }
    bool prelude_lost() const { return prelude_lost_; }

    Built run(const std::string& key) {
        Built built;
        built.diagnostics = sources_.rewrite(plan_);
        if (built.diagnostics.empty() && compile(built) && check_names(built) && link(built)) {
            auto program = scratch_.take(plan_.program, largest_program);
            if (!program)
                throw model::EnvironmentError(
                    "the linker " + workshop_.toolchain().linker +
                    " ended well but made no program; see what the command doctor says");
            built.worker = workshop_.cache().store(key, std::move(*program), to_note(built.diagnostics));
            built.ok = true;
        }
        return built;
    }

  private:
    Main main() const { return table_ == nullptr ? Main::learner : Main::shim; }

    std::vector<model::Diagnostic> compiler_messages(const std::string& output,
                                                     const Plan::Translation& translation) const {
        if (is_for_gpu(variant_)) return parse_nvcc_output(output, submission_);
        auto found = parse_compiler_output(output, submission_);
        if (translation.source != translation.file)
            correct_columns(found, translation.file, sources_.text_of(translation.file),
                            emulator::rewrite(sources_.text_of(translation.file), translation.file).text);
        return found;
    }

    sys::Command command_of(const fs::path& program, const std::vector<std::string>& arguments) const {
        sys::Command command;
        command.program = program;
        command.arguments = arguments;
        command.environment = compiler_environment(scratch_.path());
        command.directory = scratch_.path();
        command.confinement = confinement_;
        return command;
    }

    CompilerRun start(const std::vector<std::string>& arguments, bool by_nvcc = false) const {
        const Toolchain& toolchain = workshop_.toolchain();
        const sys::Command command = command_of(by_nvcc ? toolchain.nvcc : toolchain.compiler, arguments);
        workshop_.note(in_words(command));
        CompilerRun run =
            by_nvcc // which starts compilers of its own: they do not run under our stages
                ? CompilerRun{.outcome = sys::run(command, compiler_limits, cancel_fd_)}
                : run_compiler(toolchain, workshop_.layout(), command, compiler_limits, cancel_fd_);
        workshop_.note(in_words(run.outcome));
        return run;
    }

    /// Notes what a run said; true where it succeeded. A function that must return a value and has no
    /// `return` at all compiles, and then runs on into whatever code comes next.
    bool accept(Built& built, const CompilerRun& run, std::vector<model::Diagnostic> said,
                const char* stage) {
        const sys::RunOutcome& outcome = run.outcome;
        bool runs_on = false;
        for (model::Diagnostic& diagnostic : said) {
            // Where the file does not compile, another message says why.
            if (!outcome.ok() || !never_returns(diagnostic)) continue;
            diagnostic.severity = model::Severity::error;
            runs_on = true;
        }
        built.interrupted = outcome.interrupted;
        if (outcome.interrupted) return false;
        if (auto limit = limit_hit(run, stage)) said.insert(said.begin(), std::move(*limit));
        const bool has_error = std::ranges::any_of(
            said, [](const model::Diagnostic& d) { return d.severity == model::Severity::error; });
        if (!outcome.ok() && !has_error) {
            model::Diagnostic silent;
            silent.message = std::string("the ") + stage + " failed without a message that could be read";
            if (is_for_gpu(variant_) && !outcome.output.empty())
                silent.message = "nvcc says: " + bounded_message(outcome.first_line());
            said.push_back(std::move(silent));
        }
        built.diagnostics.insert(built.diagnostics.end(), said.begin(), said.end());
        return outcome.ok() && !runs_on;
    }

    /// Takes out of a source what chooses options. Sets the arguments that compile what is left; false where
    /// it cannot be preprocessed, or holds what is refused.
    bool take_out_options(Built& built, const Plan::Translation& translation,
                          std::vector<std::string>& arguments) {
        if (is_for_gpu(variant_)) return true; // the emulated build has refused what is to be refused
        if (!may_choose_options(sources_.source_of(translation))) return true;
        if (const int line = line_marker_in(sources_.text_of(translation.file)); line > 0) {
            built.diagnostics.push_back(
                {.file = translation.file,
                 .line = line,
                 .message = "line marker",
                 .explanation = "Lines like `# 12 \"file\"` are for preprocessors to write: take it out."});
            return false;
        }
        const CompilerRun run = start(preprocess_arguments(translation, workshop_.toolchain()));
        built.compile += run.outcome.wall;
        if (!accept(built, run, compiler_messages(run.outcome.output, translation), "preprocessor"))
            return false;
        const auto text = scratch_.take(translation.preprocessed, largest_program);
        if (!text) return true; // too large, which the compiler tells in its words
        WithoutOptions left = without_options(*text);
        std::ranges::move(left.notes, std::back_inserter(built.diagnostics));
        std::ranges::move(left.errors, std::back_inserter(built.diagnostics));
        if (left.text != *text) {
            scratch_.write("left-" + translation.preprocessed, left.text);
            arguments = arguments_for_preprocessed(translation, "left-" + translation.preprocessed);
        }
        return left.errors.empty();
    }

    bool compile(Built& built) {
        for (const Plan::Translation& translation : plan_.translations) {
            sources_.lay_out(translation);
            std::vector<std::string> arguments = translation.arguments;
            if (!take_out_options(built, translation, arguments)) return false;
            const CompilerRun run = start(arguments, is_for_gpu(variant_));
            const sys::RunOutcome& outcome = run.outcome;
            built.compile += outcome.wall;
            if (accept(built, run, compiler_messages(outcome.output, translation), "compiler")) continue;
            name_nearest(built.diagnostics, problem_.exercise, workshop_.layout().exercises);
            const auto said = [&](std::string_view words) {
                return outcome.output.find(words) != std::string::npos;
            };
            // Only a reason to look: what is there decides, since a source can make a compiler say anything.
            std::error_code error;
            prelude_lost_ =
                !prelude_.empty() && !fs::exists(precompiled_name(workshop_.toolchain(), prelude_), error);
            prelude_suspected_ =
                !prelude_.empty() && (outcome.exit.signalled || said("internal compiler error") ||
                                      said("PCH") || said("precompiled"));
            return false;
        }
        return true;
    }

    /// False where an object file has names that a submission may not have.
    bool check_names(Built& built) {
        std::vector<model::Diagnostic> found;
        for (const Plan::Translation& translation : plan_.translations) {
            const auto object = scratch_.take(translation.object, largest_program);
            if (!object) continue; // which the linker tells in its words
            std::ranges::move(check_symbols(read_object_symbols(*object), variant_),
                              std::back_inserter(found));
        }
        place_linked(found, {}, submission_);
        std::ranges::move(found, std::back_inserter(built.diagnostics));
        return found.empty();
    }

    bool link(Built& built) {
        if (table_ != nullptr) scratch_.write(table_object, table_->object.get());
        const CompilerRun run = start(plan_.link);
        built.link = run.outcome.wall;
        if (accept(built, run, parse_linker_output(run.outcome.output, submission_), "linker")) return true;
        if (built.interrupted) return false;
        const Toolchain& toolchain = workshop_.toolchain();
        require_own_link(workshop_, variant_, scratch_, command_of(toolchain.compiler, {}), cancel_fd_);
        if (!toolchain.nm.empty())
            built.defined = parse_symbols(
                sys::run(command_of(toolchain.nm, nm_arguments(plan_)), compiler_limits, cancel_fd_).output);
        place_linked(built.diagnostics, built.defined, submission_);
        return false;
    }

    const Workshop& workshop_;
    const model::Problem& problem_;
    const model::Submission& submission_;
    const CallTable* table_; ///< null: the submission has a `main` of its own
    Variant variant_;
    int cancel_fd_;
    Scratch scratch_;
    Sources sources_;
    fs::path prelude_;
    Plan plan_;
    std::shared_ptr<const sys::Confinement> confinement_;
    bool prelude_suspected_ = false;
    bool prelude_lost_ = false;
};

Built find_or_build(const Workshop& workshop, const model::Problem& problem, const CallTable* table,
                    const model::Submission& submission, Variant variant, int cancel_fd) {
    if (is_emulated(variant) && workshop.toolchain().family != Family::gcc)
        throw model::EnvironmentError("CUDA problems are judged with g++, and only " +
                                      workshop.toolchain().name() +
                                      " was found; install it with: apt-get install g++");
    Built built;
    built.diagnostics = check_sources(problem, submission);
    if (!built.diagnostics.empty()) return built;
    const std::string key = worker_key(workshop, problem, table, submission, variant);
    auto known = workshop.cache().find(key);
    workshop.note("program " + key + (known ? " is in the cache" : " is built"));
    if (known) {
        built.ok = built.cached = true;
        built.diagnostics = from_note(known->note);
        built.worker = std::move(*known);
        return built;
    }
    Job job(workshop, problem, table, submission, variant, cancel_fd);
    built = job.run(key);
    // The precompiled header may have been damaged, or replaced just then: one more try with a whole one.
    if (job.prelude_lost() ||
        (job.prelude_suspected() && workshop.preludes().discard_if_damaged(job.prelude())))
        built = Job(workshop, problem, table, submission, variant, cancel_fd).run(key);
    return built;
}

} // namespace

Built build_worker(const Workshop& workshop, const model::Problem& problem, const CallTable& table,
                   const model::Submission& submission, Variant variant, int cancel_fd) {
    Built built = find_or_build(workshop, problem, &table, submission, variant, cancel_fd);
    show_places(built.diagnostics, submission);
    return built;
}

Built build_own_program(const Workshop& workshop, const model::Problem& problem,
                        const model::Submission& submission, Variant variant, int cancel_fd) {
    Built built = find_or_build(workshop, problem, nullptr, submission, variant, cancel_fd);
    show_places(built.diagnostics, submission);
    return built;
}

} // namespace build
