#pragma once

#include <optional>
#include <string>
#include <vector>

namespace text {

/// The closest known word, for "did you mean", or nullopt when nothing is near: more than a third of the
/// letters changed (inserted, deleted, replaced, or swapped with their neighbour).
std::optional<std::string> nearest(const std::string& wanted, const std::vector<std::string>& known);

} // namespace text
