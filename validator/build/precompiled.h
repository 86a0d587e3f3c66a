#pragma once

#include "build/layout.h"
#include "build/plan.h"
#include "build/prelude.h"
#include "build/toolchain.h"

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace build {

/// What folders of precompiled headers are called.
inline constexpr std::string_view prelude_prefix = "prelude-";

/// A header that is read before many sources, and how those are compiled.
struct Header {
    std::string name;                         ///< one of `files`
    std::map<std::string, std::string> files; ///< by name: the header, and its neighbours that it includes
    std::vector<std::string> flags;           ///< that decide what code comes out, and find other headers
    std::string called;                       ///< to the user who waits for it: "the standard headers"
};

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
    std::filesystem::path ready(const Header& header, int cancel_fd = -1) const;
    std::filesystem::path ready(Prelude prelude, Variant variant, int cancel_fd = -1) const;

    /// Removes a precompiled form whose bytes are no longer those that were made; false where they still are.
    bool discard_if_damaged(const std::filesystem::path& header) const;

  private:
    bool make(const std::filesystem::path& folder, const Header& header, int cancel_fd) const;

    const Layout& layout_;
    const Toolchain& toolchain_;
    std::filesystem::path cache_folder_;
    std::function<void(std::string_view)> progress_;
};

} // namespace build
