#pragma once

#include "system/cgroup.h"
#include "system/fd.h"
#include "system/sandbox_root.h"

#include <cstdint>
#include <linux/filter.h>
#include <memory>
#include <optional>
#include <sys/resource.h>
#include <vector>

namespace sys {

/// One resource limit.
struct ResourceLimit {
    int resource = 0; ///< RLIMIT_…
    rlim_t value = 0;
    rlim_t grace = 0; ///< how much more the hard limit is: CPU time has a signal of its own in between
};

/// Constants in a filter that stand for what only the child knows; it puts in its own numbers.
constexpr std::uint32_t own_pid_placeholder = 0x7e57'0001;
constexpr std::uint32_t program_fd_placeholder = 0x7e57'0002;

struct Identity {
    uid_t uid = 0;
    gid_t gid = 0;
};

/// A place that only the child can name for its ruleset: in its own /proc, or in its own root.
struct OwnPlace {
    const char* path;         ///< of static storage
    std::uint64_t access = 0; ///< Landlock's rights
    bool may_be_missing = false;
};

/// What a child gives up between fork and exec. Prepared by the parent as plain data, because after fork the
/// child may only make system calls. Built from a policy by `isolation`; system/child.cpp says in which order
/// the steps are taken, and why.
struct Confinement {
    std::vector<ResourceLimit> limits;
    std::optional<Identity> identity; ///< drop to this user, with all groups and capabilities; only as root
    bool no_capabilities = false;     ///< give them all up, and stay the same user
    std::optional<SandboxRoot> root;  ///< namespaces of its own, with this as their root
    Fd landlock;                      ///< ruleset, or empty
    std::vector<OwnPlace> own_places; ///< that the ruleset allows besides
    bool fixed_addresses = false;     ///< lay its memory out as if the kernel chose no address at random
    std::vector<sock_filter> filter;  ///< seccomp program, or empty
    std::shared_ptr<Cgroup> cgroup;   ///< the cgroup it starts in, or empty
    std::uint64_t watched_kib = 0;    ///< more resident memory than this only its parent can stop; 0: no need
};

} // namespace sys
