#include "app/verify/mistake_program.h"

#include "app/verify/program.h"
#include "build/plan.h"
#include "bundle/implementation.h"
#include "bundle/mistakes.h"
#include "catalogue/source.h"
#include "emulator/rewrite.h"
#include "model/errors.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>

namespace verify {

build::CachedWorker open_mistakes(const build::Workshop& workshop, const model::Problem& problem) {
    build::CachedWorker program;
    program.path = workshop.layout().mistakes / problem.id;
    program.fd = sys::Fd(open(program.path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!program.fd)
        throw model::EnvironmentError("cannot read " + program.path.string() + ": " + std::strerror(errno) +
                                      "; build or install the engine again");
    return program;
}

bool changed_since(const build::CachedWorker& program, const model::Mistake& mistake) {
    std::error_code unreadable; // whoever opens the file says what is wrong with it
    const auto built = std::filesystem::last_write_time(program.path, unreadable);
    const auto written = std::filesystem::last_write_time(mistake.file, unreadable);
    return unreadable || written > built;
}

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
    source.compiled = "mistakes.cpp";

    const std::filesystem::path root = problem.folder.parent_path().parent_path();
    std::vector<bundle::Mistake> mistakes;
    for (const model::Mistake* mistake : which) {
        const std::string name = mistake->file.filename().string();
        std::string text = catalogue::read_source(mistake->file, root).text;
        if (emulated) {
            emulator::Rewritten rewritten = emulator::rewrite(text, name);
            if (!rewritten.errors.empty()) return std::nullopt;
            text = std::move(rewritten.text);
        }
        source.files[name] = std::move(text);
        mistakes.push_back({mistake->name, name});
    }
    const std::string contract = catalogue::read_source(problem.exercise / "contract.h", root).text;
    source.files[source.compiled] =
        bundle::mistakes("mistakes", mistakes, contract) + bundle::only("mistakes", mistakes.size());

    const std::string key = key_of(workshop, problem, source);
    if (auto known = workshop.cache().find(key)) return known;
    Made made = make_program(workshop, problem, source, cancel_fd);
    if (!made.ok) return std::nullopt;
    return workshop.cache().store(key, std::move(made.program), {});
}

} // namespace verify
