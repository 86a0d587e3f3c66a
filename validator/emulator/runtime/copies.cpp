#include "runtime/errors.h"
#include "runtime/findings.h"
#include "runtime/memory.h"
#include "runtime/observer.h"
#include "runtime/rehearsal.h"
#include "runtime/streams.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

/// Copies and fills. As on a device, an asynchronous copy out of pageable host memory has taken the bytes
/// when it returns, and one into pageable host memory has delivered them.
namespace cuda_emulator {

using emulator::AccessKind;

namespace {

void note_stream(cudaStream_t stream, const ApiCall& by) {
    if (is_default_stream(stream)) ++counters.default_stream_work;
    note_work(stream, by);
}

cudaError_t copy_async(void* to, const void* from, std::size_t bytes, cudaStream_t stream,
                       const ApiCall& by) {
    if (!is_stream(stream)) return finish(cudaErrorInvalidResourceHandle);
    note_stream(stream, by);
    if (is_pageable(from)) {
        auto staged = std::make_shared<std::vector<char>>(static_cast<const char*>(from),
                                                          static_cast<const char*>(from) + bytes);
        enqueue(
            stream,
            [=] {
                if (!device_is_dead()) copy_now(to, staged->data(), staged->size());
            },
            by);
    } else {
        enqueue(
            stream,
            [=] {
                if (!device_is_dead()) copy_now(to, from, bytes);
            },
            by);
    }
    if (!is_pageable(to)) return cudaSuccess;
    finish_stream(stream);
    return outcome_of_waiting();
}

cudaError_t copy_waiting(void* to, const void* from, std::size_t bytes, cudaStream_t stream,
                         const ApiCall& by) {
    ++counters.synchronizations;
    // Within the device's memory the host does not wait for a copy.
    if (is_pageable(to) || is_pageable(from)) note_waiting(by);
    note_stream(stream, by);
    enqueue(
        stream,
        [=] {
            if (!device_is_dead()) copy_now(to, from, bytes);
        },
        by);
    finish_stream(stream);
    return outcome_of_waiting();
}

struct Rows {
    void* to;
    std::size_t to_pitch;
    const void* from;
    std::size_t from_pitch, width, height;
    cudaMemcpyKind kind;
    ApiCall by;
};

template <class Copy>
cudaError_t copy_rows(const Rows& rows, Copy copy) {
    const Call call;
    if (call.broken()) return call.broken();
    if (rows.to_pitch > max_pitch || rows.from_pitch > max_pitch || rows.width > rows.to_pitch ||
        rows.width > rows.from_pitch)
        return finish(cudaErrorInvalidPitchValue);
    if (rehearsing()) return cudaSuccess;
    for (std::size_t row = 0; row < rows.height; ++row) {
        char* to = static_cast<char*>(rows.to) + row * rows.to_pitch;
        const char* from = static_cast<const char*>(rows.from) + row * rows.from_pitch;
        if (const auto error = check_copy(to, from, rows.width, rows.kind, rows.by.caller))
            return finish(error);
    }
    for (std::size_t row = 0; row < rows.height; ++row) {
        const auto error = copy(static_cast<char*>(rows.to) + row * rows.to_pitch,
                                static_cast<const char*>(rows.from) + row * rows.from_pitch);
        if (error) return error;
    }
    return cudaSuccess;
}

} // namespace

cudaError_t copy_symbol(void* to, const void* from, std::size_t bytes, cudaStream_t stream, bool wait) {
    const Call call;
    if (call.broken()) return call.broken();
    if (to == nullptr || from == nullptr) return finish(cudaErrorInvalidValue);
    const ApiCall by{wait ? "A copy of a symbol" : "An asynchronous copy of a symbol",
                     __builtin_return_address(0)};
    if (wait) return copy_waiting(to, from, bytes, stream, by);
    if (is_pageable(to)) note_waiting(by);
    return copy_async(to, from, bytes, stream, by);
}

} // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    const Call call;
    if (call.broken()) return call.broken();
    const ApiCall by{"cudaMemcpy", __builtin_return_address(0)};
    if (const auto error = check_copy(to, from, bytes, kind, by.caller)) return finish(error);
    return copy_waiting(to, from, bytes, nullptr, by);
}

cudaError_t cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                            cudaStream_t stream) {
    const Call call;
    if (call.broken()) return call.broken();
    const ApiCall by{"cudaMemcpyAsync", __builtin_return_address(0)};
    if (rehearsing()) return rehearse_work(stream, by);
    if (const auto error = check_copy(to, from, bytes, kind, by.caller)) return finish(error);
    if (is_pageable(to)) note_waiting(by);
    return copy_async(to, from, bytes, stream, by);
}

cudaError_t cudaMemcpy2D(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                         std::size_t width, std::size_t height, cudaMemcpyKind kind) {
    const ApiCall by{"cudaMemcpy2D", __builtin_return_address(0)};
    return copy_rows({to, to_pitch, from, from_pitch, width, height, kind, by},
                     [=](void* row_to, const void* row_from) {
                         return copy_waiting(row_to, row_from, width, nullptr, by);
                     });
}

cudaError_t cudaMemcpy2DAsync(void* to, std::size_t to_pitch, const void* from, std::size_t from_pitch,
                              std::size_t width, std::size_t height, cudaMemcpyKind kind,
                              cudaStream_t stream) {
    const ApiCall by{"cudaMemcpy2DAsync", __builtin_return_address(0)};
    if (is_pageable(to)) note_waiting(by);
    return copy_rows(
        {to, to_pitch, from, from_pitch, width, height, kind, by},
        [=](void* row_to, const void* row_from) { return copy_async(row_to, row_from, width, stream, by); });
}

namespace {

cudaError_t fill(void* to, int value, std::size_t bytes, cudaStream_t stream, const ApiCall& by) {
    const Call call;
    if (call.broken()) return call.broken();
    if (rehearsing()) return rehearse_work(stream, by);
    if (const auto error = check_fill(to, bytes, by.caller)) return finish(error);
    if (!is_stream(stream)) return finish(cudaErrorInvalidResourceHandle);
    note_stream(stream, by);
    return enqueue(
        stream,
        [=] {
            if (device_is_dead()) return;
            std::memset(to, value, bytes);
            if (observer) observer->initialized(to, bytes);
        },
        by);
}

} // namespace

cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
    return fill(to, value, bytes, stream, {"cudaMemsetAsync", __builtin_return_address(0)});
}

cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
    return fill(to, value, bytes, nullptr, {"cudaMemset", __builtin_return_address(0)});
}

namespace {

cudaError_t fill_rows(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                      cudaStream_t stream, const ApiCall& by) {
    if (width > pitch) return finish(cudaErrorInvalidPitchValue);
    for (std::size_t row = 0; row < height; ++row)
        if (const auto error = fill(static_cast<char*>(to) + row * pitch, value, width, stream, by))
            return error;
    return cudaSuccess;
}

} // namespace

cudaError_t cudaMemset2D(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height) {
    return fill_rows(to, pitch, value, width, height, nullptr, {"cudaMemset2D", __builtin_return_address(0)});
}

cudaError_t cudaMemset2DAsync(void* to, std::size_t pitch, int value, std::size_t width, std::size_t height,
                              cudaStream_t stream) {
    return fill_rows(to, pitch, value, width, height, stream,
                     {"cudaMemset2DAsync", __builtin_return_address(0)});
}

cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
    if (!is_stream(stream)) return finish(cudaErrorInvalidResourceHandle);
    const ApiCall by{"cudaMallocAsync", __builtin_return_address(0)};
    note_work(stream, by);
    // Nobody will use it.
    if (rehearsing()) bytes = std::min<std::size_t>(bytes, 64);
    const cudaError_t error = allocate(pointer, bytes, MemoryKind::device, by);
    if (observer == nullptr || error != cudaSuccess) return error;
    // Only what comes after it on the stream may use the memory.
    return enqueue(
        stream, [memory = *pointer, bytes] { observer->used(memory, bytes, AccessKind::store); }, by);
}

cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
    const Call call;
    if (call.broken()) return call.broken();
    const ApiCall by{"cudaFreeAsync", __builtin_return_address(0)};
    note_work(stream, by);
    note_given_back(pointer);
    return enqueue(
        stream,
        [=] {
            if (const Allocation* a = find_allocation(pointer); a && observer)
                observer->used(a->base, a->bytes, AccessKind::store);
            free_memory(pointer, false, by.caller);
        },
        by);
}
