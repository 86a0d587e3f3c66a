#include "isolation/identity.h"

#include <unistd.h>

namespace isolation {

std::optional<sys::Identity> unprivileged_identity() {
    if (geteuid() != 0) return std::nullopt;
    // The range that systemd keeps for users that exist only while a service runs; one number for each
    // supervisor.
    constexpr uid_t first = 61184;
    constexpr uid_t count = 4000;
    const uid_t uid = first + static_cast<uid_t>(getpid()) % count;
    return sys::Identity{uid, uid};
}

} // namespace isolation
