#pragma once

#include "model/judgement.h"

#include <filesystem>

namespace app {

/// What `isolation::observe` finds, or found less than a minute ago under the same circumstances: for
/// practice runs, where nothing hangs on the answer. `memo` keeps it; where that has no folder or cannot be
/// written, nothing is kept.
model::Isolation observe_or_remember(const std::filesystem::path& canary, const std::filesystem::path& memo);

} // namespace app
