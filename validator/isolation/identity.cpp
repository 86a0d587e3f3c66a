#include "isolation/identity.h"

#include <atomic>
#include <unistd.h>

namespace isolation {

std::optional<sys::Identity> unprivileged_identity() {
    if (geteuid() != 0) return std::nullopt;
    // The range that systemd keeps for users that exist only while a service runs. A number for each process,
    // since the kernel counts a user's threads over all of them; neighbouring supervisors begin apart.
    constexpr uid_t first = 61184;
    constexpr uid_t count = 4000;
    constexpr uid_t apart = 61;
    static std::atomic<uid_t> used = 0;
    const uid_t uid = first + (static_cast<uid_t>(getpid()) * apart + used++) % count;
    return sys::Identity{uid, uid};
}

} // namespace isolation
