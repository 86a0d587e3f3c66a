#pragma once

#include "model/judgement.h"

#include <nlohmann/json.hpp>

namespace events {

/// A mismatch with its numbers, which JSON has no words for where they are infinite or NaN.
nlohmann::json mismatch_json(const model::Mismatch& mismatch);
/// Throws what nlohmann::json throws, and std::runtime_error for a sample that is not of its size.
model::Mismatch to_mismatch(const nlohmann::json& json);

} // namespace events
