#include "build/plan.h"

#include "model/errors.h"

#include <algorithm>

namespace build {
namespace {

void append(std::vector<std::string>& list, std::initializer_list<std::string> more) {
    list.insert(list.end(), more);
}

/// A traced program with a `main` of its own says what was observed before its objects are destroyed.
bool hands_out_trace(Variant variant, Main main) {
    return main == Main::learner && is_emulated(variant) && traits(variant).check == model::Check::trace;
}

bool is_cuda(const std::filesystem::path& name) {
    return name.extension() == ".cu";
}

bool is_compiled(const std::filesystem::path& name) {
    return name.extension() == ".cpp" || is_cuda(name);
}

} // namespace

bool is_file_argument(const std::string& name) {
    return std::filesystem::path(name).filename() == name && !name.starts_with('-') && !name.starts_with('@');
}

std::vector<std::filesystem::path> worker_objects(const Layout& layout, Variant variant, Main main) {
    if (main == Main::learner) {
        if (hands_out_trace(variant, main)) return {layout.own_trace(), layout.emulator_runtime()};
        return is_emulated(variant) ? std::vector{layout.emulator_runtime()}
                                    : std::vector<std::filesystem::path>{};
    }
    if (is_for_gpu(variant)) return {layout.shim()};
    const std::filesystem::path shim = is_debugged(variant) ? layout.replay() : layout.shim();
    if (!is_emulated(variant)) return {shim};
    return {shim, layout.emulator_shim(), layout.emulator_runtime()};
}

std::vector<std::string> link_arguments(const std::vector<std::string>& objects, const Toolchain& toolchain,
                                        const Layout& layout, Variant variant, const std::string& program,
                                        Main main) {
    // At addresses of its own a program can be debugged where there is no /proc to tell where it lies.
    std::vector<std::string> list{is_debugged(variant) ? "-no-pie" : "-pie"};
    // An object could also hold code for link-time optimisation, which would be linked in place of its
    // symbols that were checked.
    list.emplace_back("-fno-lto");
    if (!toolchain.linker.empty()) list.push_back("-fuse-ld=" + toolchain.linker);
    // A debugger finds how the library's types are shown by the name of the shared one.
    if (toolchain.static_runtime && !is_debugged(variant))
        append(list, {"-static-libstdc++", "-static-libgcc"});
    const auto& flags = traits(variant).link_flags;
    list.insert(list.end(), flags.begin(), flags.end());
    list.insert(list.end(), objects.begin(), objects.end());
    for (const std::filesystem::path& object : worker_objects(layout, variant, main))
        list.push_back(object.string());
    if (is_emulated(variant)) list.push_back("-l:libboost_context.a");
    if (hands_out_trace(variant, main)) list.push_back("-Wl,--wrap=main");
    if (is_for_gpu(variant)) append(list, {toolchain.cudart.string(), "-ldl", "-lrt"});
    append(list, {"-pthread", "-o", program});
    return list;
}

std::vector<std::string> include_flags(const Layout& layout, Variant variant) {
    if (!is_emulated(variant)) return {};
    return {"-isystem", layout.emulator.string()};
}

std::vector<std::string> code_flags(const Toolchain& toolchain, Variant variant) {
    std::vector<std::string> list;
    if (traits(variant).language == model::Language::cpp) {
        list = {"-std=c++20",
                "-g1",
                "-fPIE",
                "-pthread",
                "-D_GLIBCXX_ASSERTIONS",
                "-ffp-contract=off",
                "-fstack-protector-strong"};
        if (toolchain.machine.starts_with("x86_64")) list.push_back("-fcf-protection");
    }
    const auto& flags = traits(variant).flags;
    list.insert(list.end(), flags.begin(), flags.end());
    return list;
}

std::vector<std::string> nvcc_flags(const Toolchain& toolchain, const std::string& gpu_code) {
    std::vector<std::string> list = code_flags(toolchain, Variant::on_gpu);
    append(list, {gpu_code, "-ccbin", toolchain.compiler.string(), "-x", "cu"});
    return list;
}

std::vector<std::string> message_flags(const Toolchain& toolchain) {
    // Plain lines rather than JSON: GCC's JSON leaves out from which line of the learner's a template was
    // instantiated.
    std::vector<std::string> list{"-ftemplate-depth=512", "-fmessage-length=0"};
    if (toolchain.family == Family::gcc)
        append(list, {"-fconstexpr-ops-limit=33554432", "-fmax-errors=20", "-fno-diagnostics-show-caret",
                      "-fdiagnostics-column-unit=byte", "-fdiagnostics-color=never"});
    else
        append(list, {"-fconstexpr-steps=33554432", "-ferror-limit=20", "-fno-caret-diagnostics",
                      "-fno-color-diagnostics"});
    return list;
}

std::vector<std::string> warning_flags(Variant variant) {
    if (traits(variant).check != model::Check::none) return {}; // they would be said twice
    // What the emulator makes of CUDA is not the learner's to tidy.
    if (is_emulated(variant)) return {"-Wreturn-type"};
    return {"-Wall", "-Wextra"};
}

std::filesystem::path precompiled_name(const Toolchain& toolchain, const std::filesystem::path& header) {
    return header.string() + (toolchain.family == Family::gcc ? ".gch" : ".pch");
}

std::vector<std::string> prelude_flags(const Toolchain& toolchain, const std::filesystem::path& prelude) {
    if (prelude.empty()) return {};
    if (toolchain.family == Family::clang) return {"-include-pch", precompiled_name(toolchain, prelude)};
    return {"-include", prelude};
}

std::vector<std::string> prelude_arguments(const Toolchain& toolchain, std::vector<std::string> flags,
                                           const std::filesystem::path& header,
                                           const std::filesystem::path& precompiled,
                                           const std::filesystem::path& dependencies) {
    std::vector<std::string> list = std::move(flags);
    if (toolchain.family == Family::clang)
        append(list, {"-fpch-instantiate-templates", "-Xclang", "-fno-pch-timestamp"});
    append(list, {"-x", "c++-header", header.string(), "-MD", "-MF", dependencies.string(), "-o",
                  precompiled.string()});
    return list;
}

std::vector<std::string> preprocess_arguments(const Plan::Translation& translation,
                                              const Toolchain& toolchain) {
    std::vector<std::string> list = translation.arguments;
    list.resize(list.size() - 4); // -c SOURCE -o OBJECT
    append(list, {"-E", translation.source, "-o", translation.preprocessed});
    if (toolchain.family == Family::gcc) list.push_back("-fpch-preprocess");
    return list;
}

std::vector<std::string> arguments_for_preprocessed(const Plan::Translation& translation,
                                                    const std::string& file) {
    std::vector<std::string> list;
    // What was to be included is in the text.
    for (std::size_t i = 0; i + 4 < translation.arguments.size(); ++i)
        if (translation.arguments[i] == "-include" || translation.arguments[i] == "-include-pch")
            ++i;
        else
            list.push_back(translation.arguments[i]);
    append(list, {"-c", file, "-o", translation.object});
    return list;
}

std::vector<std::string> nm_arguments(const Plan& plan) {
    std::vector<std::string> list{"-C", "--defined-only"};
    for (const Plan::Translation& translation : plan.translations)
        list.push_back(translation.object);
    return list;
}

Plan make_plan(const model::Problem& problem, const Toolchain& toolchain, const Layout& layout,
               Variant variant, const Place& place, Main main) {
    Plan plan;
    plan.program = "worker";
    for (const std::string& name : problem.files) {
        if (!is_file_argument(name))
            throw model::ContentError((problem.folder / "problem.json").string(), "/files",
                                      "must hold plain file names that begin with neither - nor @ (got " +
                                          name + ")");
        if (!is_compiled(name)) continue;
        if (is_for_gpu(variant)) {
            Plan::Translation translation{name, name, "", name + ".o", nvcc_flags(toolchain, place.gpu_code)};
            append(translation.arguments, {"-I", problem.exercise.string(), "-I", layout.exercises.string(),
                                           "-c", translation.source, "-o", translation.object});
            plan.translations.push_back(std::move(translation));
            continue;
        }
        Plan::Translation translation{name, is_emulated(variant) ? name + ".cpp" : name, name + ".ii",
                                      name + ".o", code_flags(toolchain, variant)};
        auto& list = translation.arguments;
        for (const auto& flags :
             {message_flags(toolchain), warning_flags(variant), include_flags(layout, variant)})
            list.insert(list.end(), flags.begin(), flags.end());
        append(list,
               {"-ffile-prefix-map=" + place.scratch.string() + "=.", // the same program from any folder
                "-I", problem.exercise.string(), "-I", layout.exercises.string()});
        if (place.headers) append(list, {"-I", own_headers});
        if (is_emulated(variant) && !is_cuda(name)) {
            append(list, {"-include", "cuda_emulator/host_file.h"});
        } else {
            for (const std::string& flag : prelude_flags(toolchain, place.prelude))
                list.push_back(flag);
            if (is_emulated(variant)) append(list, {"-include", "cuda_runtime.h"});
        }
        append(list, {"-include", (layout.preludes / guard_header).string()});
        append(list, {"-c", translation.source, "-o", translation.object});
        plan.translations.push_back(std::move(translation));
    }
    std::vector<std::string> objects;
    for (const Plan::Translation& translation : plan.translations)
        objects.push_back(translation.object);
    if (main == Main::shim) objects.emplace_back(table_object);
    plan.link = link_arguments(objects, toolchain, layout, variant, plan.program, main);
    return plan;
}

} // namespace build
