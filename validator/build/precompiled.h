#pragma once

#include "build/layout.h"
#include "build/plan.h"
#include "build/prelude.h"
#include "build/toolchain.h"

#include <filesystem>
#include <functional>
#include <string_view>

namespace build {

/// What folders of precompiled headers are called.
inline constexpr std::string_view prelude_prefix = "prelude-";

/// Makes precompiled headers and keeps them in the cache folder, one folder for each prelude, compiler and
/// set of flags.
class Preludes {
  public:
    Preludes(const Layout& layout, const Toolchain& toolchain, std::filesystem::path cache_folder,
             std::function<void(std::string_view)> progress)
        : layout_(layout), toolchain_(toolchain), cache_folder_(std::move(cache_folder)),
          progress_(std::move(progress)) {}

    /// The header whose precompiled form lies beside it, ready and newer than all it was made from. Empty
    /// where none is wanted, where it cannot be made, or where `cancel_fd` became readable: compiling works
    /// without it, only slower. Several processes may ask at once; one makes it and the others wait.
    std::filesystem::path ready(Prelude prelude, Variant variant, int cancel_fd = -1) const;

    /// Removes a precompiled form whose bytes are no longer those that were made; false where they still are.
    bool discard_if_damaged(const std::filesystem::path& header) const;

  private:
    bool make(const std::filesystem::path& folder, const std::string& name, Variant variant,
              int cancel_fd) const;

    const Layout& layout_;
    const Toolchain& toolchain_;
    std::filesystem::path cache_folder_;
    std::function<void(std::string_view)> progress_;
};

} // namespace build
