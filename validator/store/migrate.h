#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <span>
#include <string_view>

namespace store {

/// Brings the database to version `steps.size()`, all steps in one transaction: another process sees the old
/// version or the new one, and so does a power cut. Does nothing, and takes no write lock, where it is there
/// already. Returns the version that it found. `application_id` marks the file as ours.
std::size_t migrate(SQLite::Database& database, std::span<const std::string_view> steps,
                    std::uint32_t application_id);

} // namespace store
