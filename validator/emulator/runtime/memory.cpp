#include "runtime/memory.h"

#include "runtime/arena.h"
#include "runtime/errors.h"
#include "runtime/faults.h"
#include "runtime/findings.h"
#include "runtime/observer.h"
#include "runtime/streams.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <map>

namespace cuda_emulator {

namespace {

Arena arena;
std::map<const char*, Allocation> allocations; ///< by their first byte
std::deque<Allocation> freed;                  ///< the latest first
std::size_t used_bytes = 0;

std::size_t rounded(std::size_t bytes) {
    return (bytes + Arena::alignment - 1) / Arena::alignment * Arena::alignment;
}

char* raw(const Allocation& a) {
    return a.base - guard_bytes;
}

std::size_t raw_bytes(std::size_t bytes) {
    return guard_bytes + rounded(bytes) + guard_bytes;
}

void release(const Allocation& a) {
    if (observer) observer->freed(a.base);
    if (!a.is_ours()) return;
    used_bytes -= a.bytes;
    freed.push_front(a);
    if (freed.size() > 64) freed.pop_back();
    arena.give_back(raw(a), raw_bytes(a.bytes));
}

} // namespace

cudaError_t allocate(void** pointer, std::size_t bytes, MemoryKind kind, const ApiCall& by) {
    const Call call;
    if (call.broken()) return call.broken();
    if (pointer == nullptr) return finish(cudaErrorInvalidValue);
    *pointer = nullptr;
    if (bytes == 0) return cudaSuccess;
    ++counters.allocations;
    if (bytes > device_memory - used_bytes) return finish(cudaErrorMemoryAllocation);
    char* memory = arena.take(raw_bytes(bytes));
    if (memory == nullptr) return finish(cudaErrorMemoryAllocation);
    poison(memory, raw_bytes(bytes));
    const Allocation made{memory + guard_bytes, bytes, kind};
    allocations.emplace(made.base, made);
    used_bytes += bytes;
    std::erase_if(freed, [&](const Allocation& old) {
        return old.base < made.base + bytes && made.base < old.base + old.bytes;
    });
    if (observer) observer->allocated(made.base, bytes, kind != MemoryKind::device);
    note_taken(made.base, bytes, by);
    *pointer = made.base;
    return cudaSuccess;
}

const Allocation* allocation_below(const void* address) {
    auto next = allocations.upper_bound(static_cast<const char*>(address));
    return next == allocations.begin() ? nullptr : &std::prev(next)->second;
}

const Allocation* find_allocation(const void* address) {
    const Allocation* a = allocation_below(address);
    return a && static_cast<const char*>(address) < a->base + a->bytes ? a : nullptr;
}

bool is_device_memory(const void* address) {
    return arena.owns(address);
}

const Allocation* find_freed(const void* address) {
    const auto* byte = static_cast<const char*>(address);
    const auto found = std::find_if(freed.begin(), freed.end(), [&](const Allocation& a) {
        return byte >= a.base && byte < a.base + a.bytes;
    });
    return found == freed.end() ? nullptr : &*found;
}

namespace {
constexpr unsigned char poison_bytes[2] = {0xff, 0x7f};
}

void poison(void* memory, std::size_t bytes) {
    constexpr std::uint64_t pattern = 0x7fff'7fff'7fff'7fffu;
    auto* byte = static_cast<char*>(memory);
    for (; bytes >= sizeof pattern; bytes -= sizeof pattern, byte += sizeof pattern)
        std::memcpy(byte, &pattern, sizeof pattern);
    std::memcpy(byte, &pattern, bytes);
}

const char* first_changed(const void* memory, std::size_t bytes) {
    const auto* byte = static_cast<const unsigned char*>(memory);
    for (std::size_t i = 0; i < bytes; ++i)
        if (byte[i] != poison_bytes[reinterpret_cast<std::uintptr_t>(byte + i) & 1])
            return reinterpret_cast<const char*>(byte + i);
    return nullptr;
}

const Allocation* damaged_allocation(std::ptrdiff_t* where) {
    for (const auto& [base, a] : allocations) {
        if (!a.is_ours()) continue;
        const std::size_t behind = rounded(a.bytes) - a.bytes + guard_bytes;
        const char* damage = first_changed(a.base + a.bytes, behind);
        if (damage == nullptr) damage = first_changed(raw(a), guard_bytes);
        if (damage == nullptr) continue;
        *where = damage - a.base;
        poison(raw(a), guard_bytes);
        // The zone behind may begin at an odd byte, where the pattern begins with its second one.
        for (std::size_t i = 0; i < behind; ++i)
            a.base[a.bytes + i] = static_cast<char>(poison_bytes[(a.bytes + i) & 1]);
        return &a;
    }
    return nullptr;
}

cudaError_t free_memory(void* pointer, bool host, const void* caller) {
    if (pointer == nullptr) return cudaSuccess;
    ++counters.frees;
    const auto found = allocations.find(static_cast<const char*>(pointer));
    if (found != allocations.end() && (found->second.kind == MemoryKind::pinned) == host &&
        found->second.kind != MemoryKind::symbol && found->second.kind != MemoryKind::registered) {
        release(found->second);
        allocations.erase(found);
        return cudaSuccess;
    }
    report({.kind = emulator::FindingKind::invalid_free,
            .message = find_freed(pointer) ? "Memory is freed a second time."
                                           : "A pointer is freed that this call's allocator never gave out.",
            .kernel = {},
            .thread = {},
            .where = {{}, 0, program_offset(caller) - 1}, // the call returns behind itself
            .other = {},
            .other_thread = {}});
    return finish(cudaErrorInvalidValue);
}

void free_everything() {
    for (const auto& [base, a] : allocations)
        release(a);
    allocations.clear();
    freed.clear();
}

void add_foreign(void* memory, std::size_t bytes, MemoryKind kind) {
    auto* base = static_cast<char*>(memory);
    allocations.insert_or_assign(base, Allocation{base, bytes, kind});
    if (observer) observer->allocated(base, bytes, true);
}

void register_symbol(const void* address, std::size_t bytes) {
    auto* base = static_cast<char*>(const_cast<void*>(address));
    allocations.insert_or_assign(base, Allocation{base, bytes, MemoryKind::symbol});
}

bool is_pageable(const void* address) {
    return find_allocation(address) == nullptr;
}

void copy_now(void* to, const void* from, std::size_t bytes) {
    std::memmove(to, from, bytes);
    if (observer) observer->copied(to, from, bytes);
}

} // namespace cuda_emulator

using namespace cuda_emulator;

namespace {

cudaError_t allocate_waiting(void** pointer, std::size_t bytes, MemoryKind kind, const ApiCall& by) {
    note_waiting(by);
    return allocate(pointer, bytes, kind, by);
}

cudaError_t free_waiting(void* pointer, bool host, const ApiCall& by) {
    const Call call;
    if (call.broken()) return call.broken();
    note_waiting(by);
    note_given_back(pointer);
    finish_all_streams();
    if (device_is_dead()) return outcome_of_waiting();
    return free_memory(pointer, host, by.caller);
}

} // namespace

cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
    return allocate_waiting(pointer, bytes, MemoryKind::device, {"cudaMalloc", __builtin_return_address(0)});
}

cudaError_t cudaMallocManaged(void** pointer, std::size_t bytes, unsigned int) {
    return allocate_waiting(pointer, bytes, MemoryKind::managed,
                            {"cudaMallocManaged", __builtin_return_address(0)});
}

cudaError_t cudaMallocHost(void** pointer, std::size_t bytes, unsigned int) {
    return allocate_waiting(pointer, bytes, MemoryKind::pinned,
                            {"cudaMallocHost", __builtin_return_address(0)});
}

cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned int) {
    return allocate_waiting(pointer, bytes, MemoryKind::pinned,
                            {"cudaHostAlloc", __builtin_return_address(0)});
}

cudaError_t cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    *pitch = (width + 511) / 512 * 512;
    return allocate_waiting(pointer, *pitch * height, MemoryKind::device,
                            {"cudaMallocPitch", __builtin_return_address(0)});
}

cudaError_t cudaFree(void* pointer) {
    return free_waiting(pointer, false, {"cudaFree", __builtin_return_address(0)});
}

cudaError_t cudaFreeHost(void* pointer) {
    return free_waiting(pointer, true, {"cudaFreeHost", __builtin_return_address(0)});
}

cudaError_t cudaPointerGetAttributes(cudaPointerAttributes* attributes, const void* pointer) {
    const Call call;
    if (call.broken()) return call.broken();
    if (attributes == nullptr) return finish(cudaErrorInvalidValue);
    const Allocation* a = find_allocation(pointer);
    auto* address = const_cast<void*>(pointer);
    *attributes = {cudaMemoryTypeUnregistered, -2, nullptr, address};
    if (a == nullptr) return cudaSuccess;
    const bool host = a->kind == MemoryKind::pinned || a->kind == MemoryKind::managed;
    *attributes = {a->kind == MemoryKind::pinned    ? cudaMemoryTypeHost
                   : a->kind == MemoryKind::managed ? cudaMemoryTypeManaged
                                                    : cudaMemoryTypeDevice,
                   0, address, host ? address : nullptr};
    return cudaSuccess;
}

cudaError_t cudaHostGetDevicePointer(void** pointer, void* host, unsigned int) {
    const Call call;
    if (call.broken()) return call.broken();
    const Allocation* a = find_allocation(host);
    if (a == nullptr || (a->kind != MemoryKind::pinned && a->kind != MemoryKind::registered))
        return finish(cudaErrorInvalidValue);
    *pointer = host;
    return cudaSuccess;
}

cudaError_t cudaHostRegister(void* host, std::size_t bytes, unsigned int) {
    const Call call;
    if (call.broken()) return call.broken();
    if (host == nullptr || bytes == 0) return finish(cudaErrorInvalidValue);
    if (find_allocation(host) != nullptr) return finish(cudaErrorHostMemoryAlreadyRegistered);
    add_foreign(host, bytes, MemoryKind::registered);
    return cudaSuccess;
}

cudaError_t cudaHostUnregister(void* host) {
    const Call call;
    if (call.broken()) return call.broken();
    finish_all_streams();
    const auto found = allocations.find(static_cast<const char*>(host));
    if (found == allocations.end() || found->second.kind != MemoryKind::registered)
        return finish(cudaErrorInvalidValue);
    release(found->second);
    allocations.erase(found);
    return cudaSuccess;
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    const Call call;
    if (call.broken()) return call.broken();
    *total = device_memory;
    *free = device_memory - used_bytes;
    return cudaSuccess;
}
