#pragma once

#include <array>
#include <blake2.h>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace build {

using Checksum = std::array<std::uint8_t, 32>;

/// BLAKE2b over a sequence of parts. Each part enters with its length, so moving a byte from one part to the
/// next gives another digest.
class Digest {
  public:
    Digest();
    Digest& add(std::string_view part);
    Checksum checksum() const;
    std::string hex() const; ///< 64 digits

  private:
    blake2b_state state_;
};

/// Adds every header below a folder, by name and content.
void add_headers(Digest& key, const std::filesystem::path& folder);

} // namespace build
