#include "kit/plan.h"

#include "build/digest.h"
#include "build/plan.h"
#include "kit/mistakes.h"

#include <iterator>
#include <sstream>

namespace kit {
namespace {

namespace fs = std::filesystem;
using Arguments = std::vector<std::string>;

/// What suites read before their own lines. They include it themselves as well.
constexpr const char* suite_prelude = "#include \"harness/adversity/adverse.h\"\n"
                                      "#include \"harness/suite.h\"\n"
                                      "#include \"subject/proxy.h\"\n"
                                      "#include <algorithm>\n#include <cmath>\n#include <cstdint>\n"
                                      "#include <limits>\n#include <numeric>\n#include <vector>\n";

void append(Arguments& list, const Arguments& more) {
    list.insert(list.end(), more.begin(), more.end());
}

Arguments words(const std::string& text) {
    std::istringstream stream(text);
    return {std::istream_iterator<std::string>(stream), {}};
}

constexpr const char* header_folders[] = {
#include "kit/header_folders.inc"
};

/// What all exercises share. It is the engine's own in any collection, since `headers` include it, too.
fs::path common_headers(const build::Layout& layout) {
    return layout.exercises / "common";
}

/// Where a contract and what all exercises share are found.
Arguments exercise_folders(const Package& package, const build::Layout& layout) {
    return {"-I", "exercises/" + package.id, "-I", common_headers(layout).parent_path().string()};
}

void add(Plan& plan, const std::string& source, Arguments arguments) {
    const std::string object =
        fs::path(source).stem().string() + "-" + std::to_string(plan.translations.size()) + ".o";
    append(arguments, {"-c", source, "-o", object});
    plan.translations.push_back({source, object, std::move(arguments)});
}

Arguments objects_of(const Plan& plan) {
    Arguments list;
    for (const Plan::Translation& translation : plan.translations)
        list.push_back(translation.object);
    return list;
}

/// How everything of a worker is compiled: as submissions are judged.
Arguments worker_flags(const Package& package, const build::Toolchain& toolchain,
                       const build::Layout& layout) {
    const build::Variant variant = build::judged_variant(package.language);
    Arguments list = build::code_flags(toolchain, variant);
    append(list, build::message_flags(toolchain));
    append(list, build::include_flags(layout, variant));
    append(list, exercise_folders(package, layout));
    append(list, {"-I", layout.headers.string()});
    if (build::is_emulated(variant)) append(list, {"-include", "cuda_runtime.h"});
    return list;
}

/// The headers that everything of a worker is compiled with, beside the contract.
std::vector<fs::path> worker_headers(const Package& package, const build::Layout& layout) {
    std::vector<fs::path> folders{common_headers(layout), layout.headers / "subject"};
    if (package.language == model::Language::cuda) folders.push_back(layout.emulator);
    return folders;
}

Arguments driver_flags(const build::Toolchain& toolchain, const build::Layout& layout) {
    Arguments list{"-std=c++20", "-fPIE", "-pthread", "-ffp-contract=off"};
    append(list, words(layout.driver_flags));
    append(list, build::message_flags(toolchain));
    return list;
}

/// How suites are compiled, and what they include.
Arguments suite_flags(const build::Toolchain& toolchain, const build::Layout& layout) {
    Arguments list = driver_flags(toolchain, layout);
    append(list, {"-I", layout.headers.string()});
    return list;
}

/// All flags of the mistakes' compiler.
Arguments mistake_flags(const Package& package, const build::Toolchain& toolchain,
                        const build::Layout& layout) {
    Arguments arguments = worker_flags(package, toolchain, layout);
    append(arguments, {"-I", ".", "-w"}); // wrong on purpose
    return arguments;
}

Arguments mistake_link(const Arguments& objects, const Package& package, const build::Toolchain& toolchain,
                       const build::Layout& layout) {
    Arguments arguments = build::link_arguments(objects, toolchain, layout,
                                                build::judged_variant(package.language), "mistakes");
    arguments.emplace_back("-Wl,--strip-debug");
    return arguments;
}

/// What of the engine goes into them.
std::vector<fs::path> mistake_inputs(const Package& package, const build::Layout& layout) {
    std::vector<fs::path> list = worker_headers(package, layout);
    for (const fs::path& object : build::worker_objects(layout, build::judged_variant(package.language)))
        list.push_back(object);
    return list;
}

/// The same wherever engine and exercises lie: their files are in the key by what they hold.
std::string placeless(const std::string& argument, const build::Layout& layout) {
    for (const fs::path& folder :
         {layout.exercises, layout.emulator, layout.headers, layout.objects, layout.driver_library})
        if (!folder.empty() && argument.starts_with(folder.string()))
            return folder.filename().string() + argument.substr(folder.string().size());
    return argument;
}

build::Digest begin_key(Part part, const std::string& id, const build::Toolchain& toolchain,
                        const build::Layout& layout) {
    build::Digest key;
    key.add("engine.kit/1").add(name(part)).add(id).add(layout.version).add(toolchain.identity);
    return key;
}

} // namespace

std::string_view name(Part part) {
    switch (part) {
    case Part::table: return "table";
    case Part::driver: return "driver";
    case Part::mistakes: return "mistakes";
    }
    return "";
}

Plan plan_table(const Package& package, const build::Toolchain& toolchain, const build::Layout& layout) {
    Plan plan{package.id, Part::table, package.contract};
    Arguments arguments = worker_flags(package, toolchain, layout);
    // Every link of a submission would copy it.
    std::erase_if(arguments, [](const std::string& word) { return word == "-g1" || word == "-gdwarf-4"; });
    const fs::path source = layout.headers / "subject/shim/table.cpp";
    add(plan, source.string(), std::move(arguments));
    plan.product = plan.translations.front().object;
    plan.inputs = worker_headers(package, layout);
    plan.inputs.push_back(source);
    return plan;
}

Plan plan_gpu_table(const Package& package, const build::Toolchain& toolchain, const build::Layout& layout,
                    const std::string& gpu_code) {
    Plan plan{package.id, Part::table, package.contract};
    plan.nvcc = toolchain.nvcc;
    Arguments arguments = build::nvcc_flags(toolchain, gpu_code);
    append(arguments, exercise_folders(package, layout));
    append(arguments, {"-I", layout.headers.string(), "-DENGINE_ON_GPU",
                       "-diag-suppress=554"}); // what const views convert to
    const fs::path source = layout.headers / "subject/shim/table.cpp";
    add(plan, source.string(), std::move(arguments));
    plan.product = plan.translations.front().object;
    plan.inputs = {common_headers(layout), layout.headers / "subject", source};
    return plan;
}

Plan plan_driver(const Package& package, const build::Toolchain& toolchain, const build::Layout& layout) {
    Plan plan{package.id, Part::driver, package.contract};
    plan.files.insert(package.suite.begin(), package.suite.end());
    plan.files.insert(package.reference.begin(), package.reference.end());

    build::Header prelude{.name = "suite.h", .files = {{"suite.h", suite_prelude}}};
    prelude.called = "the headers of suites";
    prelude.flags = suite_flags(toolchain, layout);
    append(prelude.flags, {"-I", common_headers(layout).parent_path().string()});
    plan.prelude = std::move(prelude);

    for (const auto& [path, text] : package.suite)
        if (path.ends_with(".cpp")) {
            Arguments arguments = suite_flags(toolchain, layout);
            append(arguments, exercise_folders(package, layout));
            add(plan, path, std::move(arguments));
        }
    for (const auto& [path, text] : package.reference)
        if (path.ends_with(".cpp")) {
            Arguments arguments = driver_flags(toolchain, layout);
            append(arguments, {"-Dexercise=reference"});
            append(arguments, exercise_folders(package, layout));
            add(plan, path, std::move(arguments));
        }

    plan.product = "driver";
    plan.link = {"-pie"};
    if (!toolchain.linker.empty()) plan.link.push_back("-fuse-ld=" + toolchain.linker);
    if (toolchain.static_runtime) append(plan.link, {"-static-libstdc++", "-static-libgcc"});
    append(plan.link, words(layout.driver_flags));
    append(plan.link, objects_of(plan));
    append(plan.link, {layout.driver_library.string(), "-l:libseccomp.so.2", "-pthread", "-Wl,--strip-debug",
                       "-o", plan.product});
    plan.inputs.push_back(common_headers(layout));
    for (const char* folder : header_folders)
        plan.inputs.push_back(layout.headers / folder);
    plan.inputs.emplace_back(layout.driver_library.string() + ".sha256"); // much shorter than the archive
    return plan;
}

Plan plan_mistakes(const Package& package, const build::Toolchain& toolchain, const build::Layout& layout,
                   bool whole) {
    Plan plan{package.id, Part::mistakes, package.contract};
    bundle::Written sources = mistake_sources(package, whole);
    plan.variant = build::judged_variant(package.language);
    model::Submission texts;
    for (const auto& [path, text] : sources.files)
        texts.files.push_back({path, text});
    plan.prelude = build::choose_prelude(texts, package.language);
    plan.files.merge(sources.files);
    for (const std::string& source : sources.compiled)
        add(plan, source, mistake_flags(package, toolchain, layout));
    plan.product = "mistakes";
    plan.link = mistake_link(objects_of(plan), package, toolchain, layout);
    return plan;
}

std::string key_of_mistakes(const Package& package, const build::Toolchain& toolchain,
                            const build::Layout& layout, Inputs& inputs) {
    build::Digest key = begin_key(Part::mistakes, package.id, toolchain, layout);
    key.add(MISTAKES_WRITER);
    for (const auto& [path, text] : package.contract)
        key.add(path).add(text);
    for (const Package::Mistake& mistake : package.mistakes)
        key.add(mistake.name).add(mistake.path).add(mistake.program).add(mistake.base);
    for (const Arguments& arguments :
         {mistake_flags(package, toolchain, layout), mistake_link({}, package, toolchain, layout)})
        for (const std::string& argument : arguments)
            key.add(placeless(argument, layout));
    for (const fs::path& input : mistake_inputs(package, layout))
        key.add(inputs.digest(input));
    return key.hex();
}

std::string key_of(const Plan& plan, const build::Toolchain& toolchain, const build::Layout& layout,
                   Inputs& inputs) {
    build::Digest key = begin_key(plan.part, plan.id, toolchain, layout);
    for (const auto& [path, text] : plan.files)
        key.add(path).add(text);
    for (const Plan::Translation& translation : plan.translations)
        for (const std::string& argument : translation.arguments)
            key.add(placeless(argument, layout));
    for (const std::string& argument : plan.link)
        key.add(placeless(argument, layout));
    for (const fs::path& input : plan.inputs)
        key.add(inputs.digest(input));
    return key.hex();
}

} // namespace kit
