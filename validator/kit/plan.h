#pragma once

#include "build/layout.h"
#include "build/precompiled.h"
#include "build/toolchain.h"
#include "kit/inputs.h"
#include "kit/package.h"

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace kit {

/// What a kit consists of.
enum class Part {
    table,    ///< an object: what connects a submission with its worker's main
    driver,   ///< a program: suite and reference
    mistakes, ///< a program: every known mistake
};

std::string_view name(Part part);

/// How a part is made: which texts are compiled with which flags. Every run happens in a folder that holds
/// `files` and nothing else, so all names in it are relative to the collection.
struct Plan {
    struct Translation {
        std::string source;
        std::string object;
        std::vector<std::string> arguments; ///< all but those that read a precompiled header
    };
    std::string id; ///< the problem's
    Part part = Part::table;
    Texts files;
    std::variant<build::Prelude, build::Header> prelude; ///< is read before each source
    build::Variant variant = build::Variant::optimised;  ///< a build::Prelude's
    std::filesystem::path
        nvcc; ///< makes objects for a GPU; empty: the toolchain's compiler makes ordinary ones
    std::vector<Translation> translations;
    std::vector<std::string> link; ///< empty: there is but one object, and it is the product
    std::string product;           ///< the name of what is made
    std::vector<std::filesystem::path>
        inputs; ///< files, and folders of headers, of the engine that go into a table or a driver
};

Plan plan_table(const Package& package, const build::Toolchain& toolchain, const build::Layout& layout);
/// The same for workers whose kernels run on a GPU, with code as `gpu_code` says.
Plan plan_gpu_table(const Package& package, const build::Toolchain& toolchain, const build::Layout& layout,
                    const std::string& gpu_code);
Plan plan_driver(const Package& package, const build::Toolchain& toolchain, const build::Layout& layout);
/// See `mistake_sources`, also for what it throws.
Plan plan_mistakes(const Package& package, const build::Toolchain& toolchain, const build::Layout& layout,
                   bool whole = false);

/// The key of the program of the mistakes, without a plan of it: that takes longer than to look for what is
/// there already. Throws as `key_of` does.
std::string key_of_mistakes(const Package& package, const build::Toolchain& toolchain,
                            const build::Layout& layout, Inputs& inputs);

/// Of everything that decides what is made of a table or a driver. Throws model::EnvironmentError where an
/// input is missing.
std::string key_of(const Plan& plan, const build::Toolchain& toolchain, const build::Layout& layout,
                   Inputs& inputs);

} // namespace kit
