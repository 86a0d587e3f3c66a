#include "runtime/errors.h"
#include "runtime/faults.h"
#include "runtime/findings.h"
#include "runtime/memory.h"

#include <string>

/// Whether a copy or a fill lies inside of the memory that it names.
namespace cuda_emulator {

namespace {

/// Both ends in one allocation that the device can reach.
bool on_device(const void* address, std::size_t bytes) {
    const Allocation* a = allocation_below(address);
    if (a == nullptr) return false;
    const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - a->base);
    return offset <= a->bytes && bytes <= a->bytes - offset;
}

/// Not inside device-only memory; inside one allocation if it is managed or pinned.
bool on_host(const void* address, std::size_t bytes) {
    const Allocation* a = find_allocation(address);
    if (a == nullptr) return true;
    return a->kind != MemoryKind::device && on_device(address, bytes);
}

/// Says so where memory that was allocated ends before the bytes do: the call only returns an error, which is
/// easily left unread.
void report_reach(const char* what, const void* address, std::size_t bytes, const void* caller) {
    const Allocation* a = find_allocation(address);
    if (a == nullptr) return;
    const std::size_t left = a->bytes - static_cast<std::size_t>(static_cast<const char*>(address) - a->base);
    if (bytes <= left) return;
    report({.kind = emulator::FindingKind::out_of_bounds,
            .message = std::string("A ") + what + " of " + count_of(bytes, "byte") + " reaches " +
                       count_of(bytes - left, "byte") + " past the end of an allocation of " +
                       count_of(a->bytes, "byte") + ", and is refused.",
            .where = {{}, 0, program_offset(caller) - 1}}); // the call returns behind itself
}

} // namespace

cudaError_t check_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                       const void* caller) {
    if (bytes == 0) return cudaSuccess;
    if (to == nullptr || from == nullptr) return cudaErrorInvalidValue;
    bool to_device = false, from_device = false;
    switch (kind) {
    case cudaMemcpyHostToHost: break;
    case cudaMemcpyHostToDevice: to_device = true; break;
    case cudaMemcpyDeviceToHost: from_device = true; break;
    case cudaMemcpyDeviceToDevice: to_device = from_device = true; break;
    case cudaMemcpyDefault:
        to_device = find_allocation(to) != nullptr;
        from_device = find_allocation(from) != nullptr;
        break;
    default: return cudaErrorInvalidMemcpyDirection;
    }
    const bool valid = (to_device ? on_device(to, bytes) : on_host(to, bytes)) &&
                       (from_device ? on_device(from, bytes) : on_host(from, bytes));
    if (valid) return cudaSuccess;
    for (const void* end : {to, from})
        report_reach("copy", end, bytes, caller);
    return cudaErrorInvalidValue;
}

cudaError_t check_fill(const void* to, std::size_t bytes, const void* caller) {
    if (bytes == 0 || on_device(to, bytes)) return cudaSuccess;
    report_reach("fill", to, bytes, caller);
    return cudaErrorInvalidValue;
}

} // namespace cuda_emulator
