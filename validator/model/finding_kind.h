#pragma once

#include "model/names.h"

#include <optional>
#include <string_view>

namespace model {

/// What a kernel did wrong, as the emulator sees it or as a test's limits on traffic do.
enum class FindingKind {
    out_of_bounds,        ///< an access that is not inside one allocation or shared variable
    use_after_free,       ///< an access to memory that was freed
    host_memory,          ///< a kernel touches memory of the host, or the host memory of the device
    misaligned,           ///< an address that is no multiple of the access's size
    uninitialized_read,   ///< a read of bytes that nothing has written
    race_in_block,        ///< two threads of a block, no barrier between them, at least one writes
    race_between_blocks,  ///< two blocks of a launch, at least one writes
    race_between_streams, ///< two streams, or a stream and the host, at least one writes, and nothing orders
                          ///< them
    divergent_barrier,    ///< part of a block does not reach the barrier that the rest waits at
    deadlock,             ///< threads that wait in a loop for what no thread will do
    missing_lanes,        ///< lanes named in a mask do not take part
    illegal_address,      ///< a crash in a kernel
    stack_overflow,       ///< a thread used up its stack, as endless recursion does
    division_by_zero,     ///< an integer division by zero in a kernel
    shared_memory_limit,  ///< the block asks for more shared memory than there is
    launch_refused,       ///< a grid or block that no device accepts
    launch_bounds,        ///< a block larger than __launch_bounds__ allows
    device_assert,        ///< assert() failed in a kernel
    device_trap,          ///< __trap()
    invalid_free,         ///< freed twice, or never allocated
    call_waits,           ///< a call that promised to wait for nothing waits for the device
    wrong_stream,         ///< work on the default stream in place of the one that was given
    not_given_back,       ///< memory that a call took and kept
    variable_written,     ///< a variable of the device, which calls on two streams would share
    padding_written,      ///< memory of the caller that is no element of an output
    error_taken,          ///< an error of the device that the caller would have asked for
    not_launched,         ///< a kernel called like a function, or the runtime called from a kernel
    device_exception,     ///< an exception left a kernel
    too_much_traffic,     ///< more bytes moved than the test allows
    uncoalesced,          ///< too small a share of the moved bytes was asked for
    bank_conflicts,       ///< more passes over shared memory than the test allows
};

/// The words of traces, reports and the headers of mistakes.
inline constexpr Names<FindingKind, 31> finding_kinds{{
    {FindingKind::out_of_bounds, "out_of_bounds"},
    {FindingKind::use_after_free, "use_after_free"},
    {FindingKind::host_memory, "host_memory"},
    {FindingKind::misaligned, "misaligned"},
    {FindingKind::uninitialized_read, "uninitialized_read"},
    {FindingKind::race_in_block, "race_in_block"},
    {FindingKind::race_between_blocks, "race_between_blocks"},
    {FindingKind::race_between_streams, "race_between_streams"},
    {FindingKind::divergent_barrier, "divergent_barrier"},
    {FindingKind::deadlock, "deadlock"},
    {FindingKind::missing_lanes, "missing_lanes"},
    {FindingKind::illegal_address, "illegal_address"},
    {FindingKind::stack_overflow, "stack_overflow"},
    {FindingKind::division_by_zero, "division_by_zero"},
    {FindingKind::shared_memory_limit, "shared_memory_limit"},
    {FindingKind::launch_refused, "launch_refused"},
    {FindingKind::launch_bounds, "launch_bounds"},
    {FindingKind::device_assert, "device_assert"},
    {FindingKind::device_trap, "device_trap"},
    {FindingKind::invalid_free, "invalid_free"},
    {FindingKind::call_waits, "call_waits"},
    {FindingKind::wrong_stream, "wrong_stream"},
    {FindingKind::not_given_back, "not_given_back"},
    {FindingKind::variable_written, "variable_written"},
    {FindingKind::padding_written, "padding_written"},
    {FindingKind::error_taken, "error_taken"},
    {FindingKind::not_launched, "not_launched"},
    {FindingKind::device_exception, "device_exception"},
    {FindingKind::too_much_traffic, "too_much_traffic"},
    {FindingKind::uncoalesced, "uncoalesced"},
    {FindingKind::bank_conflicts, "bank_conflicts"},
}};

constexpr std::string_view name(FindingKind kind) {
    return name_of(finding_kinds, kind);
}

} // namespace model
