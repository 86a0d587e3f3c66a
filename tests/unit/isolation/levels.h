#pragma once

#include "isolation/cgroups.h"
#include "isolation/landlock.h"
#include "isolation/worker_root.h"
#include "model/judgement.h"

#include <cstdlib>
#include <doctest/doctest.h>
#include <string>

/// Lowers the level to be tried for, until the end of the scope.
class Ceiling {
  public:
    explicit Ceiling(char level) {
        const char text[] = {level, '\0'};
        setenv("ENGINE_ISOLATION_CEILING", text, 1);
    }
    ~Ceiling() { unsetenv("ENGINE_ISOLATION_CEILING"); }
};

/// Why a level cannot be had on this machine; empty where it can.
inline std::string why_not(char level) {
    if (isolation::landlock_abi() == 0) return "no Landlock in this kernel";
    if (level <= 'B' && !isolation::namespace_obstacle(true).empty())
        return isolation::namespace_obstacle(true);
    if (level == 'A' && !isolation::cgroup_obstacle().empty()) return isolation::cgroup_obstacle();
    return {};
}

/// Runs a body at each of the levels that this machine has, and says which it left out.
template <class Body>
void at_each_level(const std::string& levels, Body body) {
    for (const char level : levels) {
        if (const std::string reason = why_not(level); !reason.empty()) {
            MESSAGE("skipped at level " << std::string(1, level) << ": " << reason);
            continue;
        }
        CAPTURE(std::string(1, level));
        const Ceiling ceiling(level);
        body(level);
    }
}
