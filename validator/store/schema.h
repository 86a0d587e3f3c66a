#pragma once

#include "store/kind.h"

#include <cstdint>
#include <span>
#include <string_view>

/// The tables of a learner's progress, as steps that lead from one schema version to the next.
namespace store {

/// Marks a SQLite file as ours: the letters "engn".
inline constexpr std::uint32_t application_id = 0x656e676e;

std::span<const std::string_view> migrations();

/// A learner's progress.
const Kind& progress_kind();

} // namespace store
