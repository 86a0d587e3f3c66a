#pragma once

#include "cuda_runtime.h"

#include "runtime/promises.h"

#include <cstddef>
#include <cstdint>

namespace cuda_emulator {

/// Adopted and registered memory is the host's own, lent to the device, the one out of the host's sight; like
/// a symbol it is neither guarded nor freed.
enum class MemoryKind { device, managed, pinned, symbol, adopted, registered };

/// Memory from the runtime, or a device variable. It ends exactly where its `bytes` do; a guard zone follows.
struct Allocation {
    char* base = nullptr;
    std::size_t bytes = 0;
    MemoryKind kind{};

    bool is_ours() const { return kind < MemoryKind::symbol; }
};

/// The allocation whose bytes (or first guard bytes) contain the address; null if none does.
const Allocation* find_allocation(const void* address);
/// The live allocation that begins at or below the address, however far; null if none does.
const Allocation* allocation_below(const void* address);
/// Whether the address belongs to the device's memory, in an allocation or not.
bool is_device_memory(const void* address);
/// The allocation freed last that contained the address; null if none is remembered.
const Allocation* find_freed(const void* address);

/// Poisoned bytes before and after every allocation, and after a block's dynamic shared memory.
constexpr std::size_t guard_bytes = 256;

/// Makes fresh memory recognisable: every float, half and bfloat16 in it is a NaN, every int a large number.
void poison(void* memory, std::size_t bytes);
/// The first byte of the region that no longer has the poison's value; null if all have.
const char* first_changed(const void* memory, std::size_t bytes);

/// The first allocation whose guard zones a kernel has written into; `where` is the distance from its first
/// byte.
const Allocation* damaged_allocation(std::ptrdiff_t* where);

cudaError_t allocate(void** pointer, std::size_t bytes, MemoryKind kind, const ApiCall& by);
/// Frees memory of the given kind; cudaErrorInvalidValue, with a finding, if it was never allocated or freed
/// before; `caller` is where in the program it was asked.
cudaError_t free_memory(void* pointer, bool host, const void* caller);
void free_everything();
/// Lets the device use memory where it lies.
void add_foreign(void* memory, std::size_t bytes, MemoryKind kind);
void register_symbol(const void* address, std::size_t bytes);

/// cudaErrorInvalidValue unless [to, to+bytes) and [from, from+bytes) each lie in one allocation, or on the
/// host, as the kind of the copy demands; `caller` is where in the program it was asked.
cudaError_t check_copy(const void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                       const void* caller);
cudaError_t check_fill(const void* to, std::size_t bytes, const void* caller);
/// Host memory that the device cannot reach on its own.
bool is_pageable(const void* address);
void copy_now(void* to, const void* from, std::size_t bytes);

constexpr std::size_t device_memory = std::size_t{4} << 30;
/// Bytes between rows that are copied at once.
constexpr std::size_t max_pitch = (std::size_t{1} << 31) - 1;

} // namespace cuda_emulator
