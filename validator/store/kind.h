#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string_view>

namespace store {

/// A kind of database that the engine keeps, and how messages speak of it.
struct Kind {
    std::string_view what;            ///< "progress database"
    std::string_view saving;          ///< "save progress": what an unwritable file prevents
    std::uint32_t application_id = 0; ///< marks a SQLite file as one of this kind
    /// Step n (from 0) turns version n into version n + 1. A step, once released, never changes.
    std::span<const std::string_view> steps;
};

/// A database file of one kind.
struct File {
    std::filesystem::path path;
    const Kind* kind = nullptr;
};

} // namespace store
