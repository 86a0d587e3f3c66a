#include "app/verify/mistake_program.h"

#include "app/verify/program.h"
#include "build/plan.h"
#include "bundle/programs.h"
#include "catalogue/source.h"
#include "emulator/rewrite.h"

namespace verify {

std::optional<build::CachedWorker> build_checked(const build::Workshop& workshop,
                                                 const model::Problem& problem,
                                                 const std::vector<const model::Mistake*>& which,
                                                 int cancel_fd) {
    ProgramSource source;
    source.variant = build::checked_variant(problem.language);
    const bool emulated = build::is_emulated(source.variant);
    if (!emulated && !workshop.toolchain().sanitizers) return std::nullopt;
    source.flags = build::code_flags(workshop.toolchain(), source.variant);
    source.flags.emplace_back("-w"); // they are wrong on purpose

    const std::filesystem::path root = problem.folder.parent_path().parent_path();
    std::vector<bundle::Program> mistakes;
    for (const model::Mistake* mistake : which) {
        bundle::Program program{mistake->name, mistake->program, mistake->base_text};
        if (emulated) {
            emulator::Rewritten rewritten = emulator::rewrite(program.text, mistake->name + ".cu");
            if (!rewritten.errors.empty()) return std::nullopt;
            program.text = std::move(rewritten.text);
        }
        mistakes.push_back(std::move(program));
    }
    const std::string contract = catalogue::read_source(problem.exercise / "contract.h", root).text;
    bundle::Written written =
        bundle::write_programs(mistakes, contract, {.all_whole = emulated, .own_lines = true, .parts = 1});
    source.files = std::move(written.files);
    source.compiled = written.compiled.front();

    const std::string key = key_of(workshop, problem, source);
    if (auto known = workshop.cache().find(key)) return known;
    Made made = make_program(workshop, problem, source, cancel_fd);
    if (!made.ok) return std::nullopt;
    return workshop.cache().store(key, std::move(made.program), {});
}

} // namespace verify
