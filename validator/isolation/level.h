#pragma once

#include "model/judgement.h"

#include <map>
#include <string>
#include <vector>

namespace isolation {

/// What one canary did and saw.
struct CanaryReport {
    std::map<std::string, std::string> acts;  ///< name to errno's name, or "done"
    std::map<std::string, std::string> facts; ///< uid, pid, host, and a namespace kind to its identity
    bool memory_bounded = false; ///< the kernel counted that its cgroup came up against its limit
};

/// Namespace kinds to identities, of this process.
std::map<std::string, std::string> own_namespaces();

/// The kinds of namespaces that a canary shares with nobody, in words; "none".
std::string separate_namespaces(const CanaryReport& report, const std::map<std::string, std::string>& own);

/// The level that two canaries, one in place of an ordinary worker and one in place of a sanitized one, bear
/// out: the weaker of the two, and what was not tried counts as possible.
model::IsolationLevel level_of(const CanaryReport& plain, const CanaryReport& sanitized,
                               const std::map<std::string, std::string>& own);

/// What a canary in place of a worker with a GPU's driver was able to do, of what no submission may; empty
/// for nothing. `launched`: apart from what a launcher needs, within the sandbox.
std::vector<std::string> possible_with_gpu(const CanaryReport& report, bool launched = false);

} // namespace isolation
