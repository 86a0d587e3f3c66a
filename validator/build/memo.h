#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

/// What the engine has found out once and keeps in its cache as a text with a checksum, so that one that a
/// disk has damaged is found out again and never believed.
namespace build {

/// The text; nothing if there is none that is whole.
std::optional<std::string> read_memo(const std::filesystem::path& file);

/// Replaces it in one step. If that fails, it is found out again the next time.
void write_memo(const std::filesystem::path& file, std::string_view text);

} // namespace build
