#include "app/verify/program.h"

#include "build/digest.h"
#include "build/file.h"
#include "build/plan.h"
#include "build/prelude.h"
#include "build/scratch.h"
#include "build/stages.h"
#include "isolation/compiler.h"
#include "judge.h"
#include "model/errors.h"
#include "system/process.h"

namespace verify {
namespace {

namespace fs = std::filesystem;

constexpr sys::RunLimits limits{.wall = std::chrono::seconds(120), .output_bytes = 16 << 20};
constexpr std::uint64_t largest_program = 100ULL << 20;
constexpr std::size_t max_linker_output = 400; ///< as much as an error shows

constexpr const char* object = "program.o";
constexpr const char* program = "program";

build::Prelude prelude_for(const ProgramSource& source) {
    model::Submission files;
    for (const auto& [name, text] : source.files)
        files.files.push_back({name, text});
    return build::choose_prelude(files, build::is_emulated(source.variant) ? model::Language::cuda
                                                                           : model::Language::cpp);
}

std::vector<std::string> compile_arguments(const build::Workshop& workshop, const model::Problem& problem,
                                           const ProgramSource& source, const fs::path& prelude) {
    const build::Layout& layout = workshop.layout();
    std::vector<std::string> list = source.flags;
    for (const fs::path& folder : {problem.exercise, layout.exercises, layout.headers})
        list.insert(list.end(), {"-I", folder.string()});
    for (const std::string& flag : build::include_flags(layout, source.variant))
        list.push_back(flag);
    for (const std::string& flag : build::prelude_flags(workshop.toolchain(), prelude))
        list.push_back(flag);
    if (build::is_emulated(source.variant)) list.insert(list.end(), {"-include", "cuda_runtime.h"});
    // Every error is wanted, because each may be another implementation's.
    const bool gcc = workshop.toolchain().family == build::Family::gcc;
    list.insert(list.end(), {gcc ? "-fmax-errors=0" : "-ferror-limit=0", "-fdiagnostics-color=never",
                             "-fmessage-length=0", "-c", source.compiled, "-o", object});
    return list;
}

std::shared_ptr<const sys::Confinement> confine(const build::Workshop& workshop,
                                                const model::Problem& problem, build::Variant variant,
                                                const fs::path& scratch, const fs::path& prelude) {
    const build::Layout& layout = workshop.layout();
    isolation::CompilerAccess access;
    access.compilers = {workshop.toolchain().compiler};
    access.limits.cpu = std::chrono::seconds(100); // one run does the work of two hundred
    access.limits.memory_bytes = 4ULL << 30;
    access.limits.file_bytes = largest_program;
    access.read = build::worker_objects(layout, variant);
    if (!layout.stage().empty()) access.execute = {layout.stage()};
    access.read.insert(access.read.end(), {problem.exercise, layout.exercises / "common", layout.headers});
    if (build::is_emulated(variant)) access.read.push_back(layout.emulator);
    if (!prelude.empty()) access.read.push_back(prelude.parent_path());
    access.write = {scratch};
    return isolation::confine_compiler(access);
}

} // namespace

std::string key_of(const build::Workshop& workshop, const model::Problem& problem,
                   const ProgramSource& source) {
    const build::Layout& layout = workshop.layout();
    build::Digest key;
    key.add("engine.program/1").add(layout.version).add(workshop.toolchain().identity);
    for (const std::string& argument : compile_arguments(workshop, problem, source, {}))
        key.add(argument);
    if (const std::string name = build::file_name(prelude_for(source)); !name.empty())
        key.add(build::read_if_there(layout.preludes / name));
    for (const auto& [name, text] : source.files)
        key.add(name).add(text);
    for (const fs::path& folder : {problem.exercise, layout.exercises / "common", layout.headers / "subject"})
        build::add_headers(key, folder);
    if (build::is_emulated(source.variant)) build::add_headers(key, layout.emulator);
    for (const fs::path& file : build::worker_objects(layout, source.variant))
        key.add(build::read_if_there(file));
    return key.hex();
}

Made make_program(const build::Workshop& workshop, const model::Problem& problem, const ProgramSource& source,
                  int cancel_fd) {
    const build::Scratch scratch(workshop.cache().folder());
    for (const auto& [name, text] : source.files)
        scratch.write(name, text);
    sys::Command command;
    command.program = workshop.toolchain().compiler;
    command.environment = build::compiler_environment(scratch.path());
    command.directory = scratch.path();
    const fs::path prelude = workshop.preludes().ready(prelude_for(source), source.variant, cancel_fd);
    command.confinement = confine(workshop, problem, source.variant, scratch.path(), prelude);
    const auto run = [&](std::vector<std::string> arguments) {
        command.arguments = std::move(arguments);
        sys::RunOutcome outcome =
            build::run_compiler(workshop.toolchain(), workshop.layout(), command, limits, cancel_fd).outcome;
        if (outcome.interrupted) throw judge::Interrupted{};
        return outcome;
    };
    sys::RunOutcome compiled = run(compile_arguments(workshop, problem, source, prelude));
    // Its precompiled form may be damaged, or made with flags that do not go with these.
    const bool suspected = !prelude.empty() && !compiled.ok() &&
                           (compiled.exit.signalled ||
                            compiled.output.find(prelude.parent_path().string()) != std::string::npos);
    if (suspected) compiled = run(compile_arguments(workshop, problem, source, {}));
    if (!compiled.ok()) return {false, {}, compiled.output};
    const sys::RunOutcome linked = run(
        build::link_arguments({object}, workshop.toolchain(), workshop.layout(), source.variant, program));
    auto bytes = linked.ok() ? scratch.take(program, largest_program) : std::nullopt;
    if (!bytes)
        throw model::ContentError((problem.folder / source.compiled).string(), "",
                                  "does not link: " + linked.output.substr(0, max_linker_output));
    return {true, std::move(*bytes), {}};
}

} // namespace verify
