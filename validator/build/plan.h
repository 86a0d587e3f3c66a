#pragma once

#include "build/layout.h"
#include "build/toolchain.h"
#include "build/variant.h"
#include "model/problem.h"

#include <filesystem>
#include <string>
#include <vector>

namespace build {

/// Arguments of the runs that make a worker program. Every run happens in the scratch folder, so the names of
/// the learner's files and of what is made from them are plain.
struct Plan {
    struct Translation {
        std::string file;         ///< of the submission
        std::string source;       ///< what is compiled: the file itself, or what a CUDA file is rewritten to
        std::string preprocessed; ///< what it becomes where that has to be looked at
        std::string object;
        std::vector<std::string> arguments;
    };
    std::vector<Translation> translations; ///< one for each file that is compiled by itself
    std::vector<std::string> link;
    std::string program; ///< what linking makes
};

/// Where this one build happens.
struct Place {
    std::filesystem::path scratch;
    std::filesystem::path prelude; ///< header beside its precompiled form; empty for none
    std::string gpu_code = {};     ///< for a GPU: which code nvcc makes
    bool headers = false;          ///< the submission has headers of its own
};

/// The folder of these in the scratch folder.
inline constexpr const char* own_headers = "include";

/// The flags that decide what code comes out; a precompiled header fits only if made with the same ones.
std::vector<std::string> code_flags(const Toolchain& toolchain, Variant variant);

/// What nvcc is called with ahead of what is to be compiled.
std::vector<std::string> nvcc_flags(const Toolchain& toolchain, const std::string& gpu_code);

/// Where headers of ours lie that a variant needs.
std::vector<std::string> include_flags(const Layout& layout, Variant variant);

/// The name of a problem's call table in the scratch folder.
inline constexpr const char* table_object = "table.o";

/// Whose `main` a program has.
enum class Main {
    shim,   ///< a worker: the judge's shim answers calls by a call table
    learner ///< a program to try things with
};

/// What every program is linked with beside the objects of its own: a worker's are a call table and what
/// that table calls.
std::vector<std::filesystem::path> worker_objects(const Layout& layout, Variant variant,
                                                  Main main = Main::shim);

/// Arguments that make `program` from `objects`.
std::vector<std::string> link_arguments(const std::vector<std::string>& objects, const Toolchain& toolchain,
                                        const Layout& layout, Variant variant, const std::string& program,
                                        Main main = Main::shim);

/// The flags that decide how messages look and when the compiler gives up.
std::vector<std::string> message_flags(const Toolchain& toolchain);

/// Warnings that are worth reading beside a failure.
std::vector<std::string> warning_flags(Variant variant);

/// Arguments that make `precompiled` from `header`, for what is compiled with the same `flags`.
std::vector<std::string> prelude_arguments(const Toolchain& toolchain, std::vector<std::string> flags,
                                           const std::filesystem::path& header,
                                           const std::filesystem::path& precompiled,
                                           const std::filesystem::path& dependencies);

/// The name of a header's precompiled form, in the same folder.
std::filesystem::path precompiled_name(const Toolchain& toolchain, const std::filesystem::path& header);

/// The flags that read a header in its precompiled form; none where `prelude` is empty.
std::vector<std::string> prelude_flags(const Toolchain& toolchain, const std::filesystem::path& prelude);

/// The header that is read before a submission and after all others, in `Layout::preludes`.
inline constexpr const char* guard_header = "guard.h";

/// Arguments that preprocess a source.
std::vector<std::string> preprocess_arguments(const Plan::Translation& translation,
                                              const Toolchain& toolchain);

/// Arguments that compile `file`, which a source has been preprocessed to.
std::vector<std::string> arguments_for_preprocessed(const Plan::Translation& translation,
                                                    const std::string& file);

/// For a list of what the objects of a plan define.
std::vector<std::string> nm_arguments(const Plan& plan);

/// Whether this is the name of a file without a folder that a compiler takes for one: it takes -x.cpp for an
/// option, and @x.cpp for a file of options.
bool is_file_argument(const std::string& name);

/// How to turn a submission for `problem` into its program. Depends on nothing that the submission says.
Plan make_plan(const model::Problem& problem, const Toolchain& toolchain, const Layout& layout,
               Variant variant, const Place& place, Main main = Main::shim);

} // namespace build
