#pragma once

#include "store/kind.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <filesystem>
#include <string>

/// The words for what can be wrong with a database of ours; each ends with what to do about it.
namespace store {

/// Not ours, or damaged: `fault` says which, as in "it is not a SQLite database".
[[noreturn]] void refuse(const File& file, const std::string& fault);

[[noreturn]] void refuse_newer(const File& file, std::uint32_t version);

[[noreturn]] void refuse_unwritable(const File& file, const std::string& fault);

/// Sorts SQLite's error into locked, unwritable or damaged; what only we can have caused is a
/// std::logic_error.
[[noreturn]] void refuse(const File& file, const SQLite::Exception& error);

} // namespace store
