#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <span>
#include <string_view>

/// The tables, as steps that lead from one schema version to the next.
namespace store {

/// Marks a SQLite file as ours: the letters "engn".
inline constexpr std::uint32_t application_id = 0x656e676e;

/// Step n (from 0) turns version n into version n + 1. A step, once released, never changes.
std::span<const std::string_view> migrations();

/// Brings the database to version `steps.size()`, all steps in one transaction: another process sees the old
/// version or the new one, and so does a power cut. Does nothing, and takes no write lock, where it is there
/// already. Returns the version that it found.
std::size_t migrate(SQLite::Database& database, std::span<const std::string_view> steps);

} // namespace store
