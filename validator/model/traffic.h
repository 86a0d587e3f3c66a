#pragma once

#include "model/names.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// What kernels move: exact counts, the same on every machine.
namespace model {

/// The pieces in which global memory is moved.
inline constexpr std::uint64_t sector_bytes = 32;

/// A place in the source. `file` and `line` are known at once for barriers and launches; an access carries
/// the offset of its instruction in the program instead, until the emulator's `apply_locations` names the
/// line. 0 means "not known".
struct Location {
    std::string file;
    int line = 0;
    std::uint64_t offset = 0;

    bool operator==(const Location&) const = default;
};

enum class AccessKind { load, store, atomic };

inline constexpr Names<AccessKind, 3> access_kinds{{
    {AccessKind::load, "load"},
    {AccessKind::store, "store"},
    {AccessKind::atomic, "atomic"},
}};

constexpr std::string_view name(AccessKind kind) {
    return name_of(access_kinds, kind);
}

/// The traffic of one instruction of a kernel, or of several on one line that do the same. A request is one
/// execution by a warp.
struct LineTraffic {
    Location where;
    AccessKind kind{};
    bool shared = false; ///< shared memory; else global
    std::uint32_t bytes_per_lane = 0;
    std::uint64_t requests = 0;
    std::uint64_t accesses = 0;       ///< by single lanes
    std::uint64_t sectors = 0;        ///< global memory: distinct sectors, summed over requests
    std::uint64_t useful_bytes = 0;   ///< global memory: distinct bytes, summed over requests
    std::uint64_t wavefronts = 0;     ///< shared memory: passes over the 32 banks
    std::uint64_t bank_conflicts = 0; ///< shared memory: passes beyond the fewest possible

    std::uint64_t moved_bytes() const { return sectors * sector_bytes; }
    std::uint64_t wasted_bytes() const { return moved_bytes() - std::min(moved_bytes(), useful_bytes); }
};

/// The global and shared memory traffic of one kernel, summed over its launches.
struct KernelTraffic {
    std::string kernel;
    std::string test; ///< in a judgement: the test in which it was counted
    Location launched;
    std::uint64_t launches = 0;
    std::uint64_t threads = 0;
    std::uint64_t sectors = 0;
    std::uint64_t bytes_moved = 0;  ///< in whole sectors
    std::uint64_t useful_bytes = 0; ///< distinct bytes of each request, summed
    std::uint64_t minimum_bytes =
        0; ///< distinct bytes read and distinct bytes written, of each launch, summed
    std::uint64_t bank_conflicts = 0;
    std::vector<LineTraffic> lines;

    /// Share of the moved bytes that were asked for: 1 when every sector is fully used, 0 without traffic.
    double coalescing_efficiency() const {
        return bytes_moved == 0 ? 0.0 : static_cast<double>(useful_bytes) / static_cast<double>(bytes_moved);
    }
};

} // namespace model
