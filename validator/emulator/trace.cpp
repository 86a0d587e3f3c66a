#include "emulator/trace.h"

namespace emulator {

const char* to_string(FindingKind kind) {
    switch (kind) {
    case FindingKind::out_of_bounds: return "out_of_bounds";
    case FindingKind::use_after_free: return "use_after_free";
    case FindingKind::host_memory: return "host_memory";
    case FindingKind::misaligned: return "misaligned";
    case FindingKind::uninitialized_read: return "uninitialized_read";
    case FindingKind::race_in_block: return "race_in_block";
    case FindingKind::race_between_blocks: return "race_between_blocks";
    case FindingKind::divergent_barrier: return "divergent_barrier";
    case FindingKind::missing_lanes: return "missing_lanes";
    case FindingKind::illegal_address: return "illegal_address";
    case FindingKind::stack_overflow: return "stack_overflow";
    case FindingKind::division_by_zero: return "division_by_zero";
    case FindingKind::shared_memory_limit: return "shared_memory_limit";
    case FindingKind::launch_refused: return "launch_refused";
    case FindingKind::launch_bounds: return "launch_bounds";
    case FindingKind::device_assert: return "device_assert";
    case FindingKind::device_trap: return "device_trap";
    case FindingKind::invalid_free: return "invalid_free";
    case FindingKind::not_launched: return "not_launched";
    case FindingKind::device_exception: return "device_exception";
    }
    return "unknown";
}

const char* to_string(AccessKind kind) {
    switch (kind) {
    case AccessKind::load: return "load";
    case AccessKind::store: return "store";
    case AccessKind::atomic: return "atomic";
    }
    return "unknown";
}

} // namespace emulator
