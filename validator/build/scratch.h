#pragma once

#include "system/fd.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace build {

/// A fresh private folder for one compiler run; it goes away with this object. What the compiler leaves in it
/// is untrusted, because the compiler has read untrusted text: results come out through `take` alone.
class Scratch {
  public:
    /// Throws model::EnvironmentError where no folder can be made in `parent`.
    explicit Scratch(const std::filesystem::path& parent);
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
    ~Scratch();

    const std::filesystem::path& path() const { return path_; }

    /// Writes a new file, and makes the folders that its name has in it. Throws model::EnvironmentError, e.g.
    /// for a full disk.
    void write(const std::string& name, std::string_view text) const;

    /// The bytes of a file, if it is a plain file of this folder itself: no link of any kind, at most `limit`
    /// bytes.
    std::optional<std::string> take(const std::string& name, std::uint64_t limit) const;

  private:
    std::filesystem::path path_;
    sys::Fd folder_;
};

/// A compiler needs so much space to work in.
inline constexpr std::uint64_t min_free_bytes = 64ULL << 20;

/// What is left on the disk of `folder`; the maximum where the kernel does not tell.
std::uint64_t free_bytes(const std::filesystem::path& folder);

/// What scratch folders are called; those of a killed engine are swept by the next one's cache.
inline constexpr std::string_view scratch_prefix = "scratch-";

} // namespace build
