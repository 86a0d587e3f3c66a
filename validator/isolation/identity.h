#pragma once

#include "system/confinement.h"

#include <optional>

namespace isolation {

/// An unprivileged user that nothing else on the machine runs as, another one at each call, for root to drop
/// to; empty for an ordinary user.
std::optional<sys::Identity> unprivileged_identity();

} // namespace isolation
