#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <utility>

/// Stands in for CUB where a file that sorts with it runs on the emulator: one function, with CUB's signature
/// and protocol. One thread sorts, bit after bit, so that a trace sees every access.
namespace cub {

/// So many of the upper bits are left out of the order. For the proof that a test notices.
inline int bits_left_out = 0;

namespace stand_in {

template <class Key, class Value, class Count>
void sort_in_a_thread(void* scratch, const Key* keys_in, Key* keys, const Value* values_in, Value* values,
                      Count count, int begin_bit, int end_bit) {
    auto* const other_values = static_cast<Value*>(scratch);
    auto* const other_keys = reinterpret_cast<Key*>(other_values + count);
    for (Count i = 0; i < count; ++i) {
        keys[i] = keys_in[i];
        values[i] = values_in[i];
    }
    for (int bit = begin_bit; bit < end_bit; ++bit) {
        Count zeros = 0, ones = 0;
        for (Count i = 0; i < count; ++i) {
            const Key key = keys[i];
            if ((key >> bit & 1) != 0) {
                other_keys[ones] = key;
                other_values[ones++] = values[i];
            } else {
                keys[zeros] = key; // no later than i: what it overwrites has been read
                values[zeros++] = values[i];
            }
        }
        for (Count i = 0; i < ones; ++i) {
            keys[zeros + i] = other_keys[i];
            values[zeros + i] = other_values[i];
        }
    }
}

} // namespace stand_in

struct DeviceRadixSort {
    /// Without scratch memory: says how much it takes, and does nothing else. With it: sorts on the stream,
    /// by the bits [begin_bit, end_bit) of the keys alone; equal ones keep their order.
    template <class Key, class Value, class Count>
    static cudaError_t SortPairs(void* scratch, std::size_t& bytes, const Key* keys_in, Key* keys,
                                 const Value* values_in, Value* values, Count count, int begin_bit = 0,
                                 int end_bit = sizeof(Key) * 8, cudaStream_t stream = nullptr) {
        const std::size_t needed = count * (sizeof(Key) + sizeof(Value));
        if (scratch == nullptr) {
            bytes = needed;
            return cudaSuccess;
        }
        if (bytes < needed || begin_bit < 0 || begin_bit >= end_bit || end_bit > int{sizeof(Key) * 8})
            return cudaErrorInvalidValue;
        cuda_emulator::Launch("cub::DeviceRadixSort", 1, 1, 0, stream).with(0, [](auto... arguments) {
            stand_in::sort_in_a_thread(arguments...);
        })(scratch, keys_in, keys, values_in, values, count, begin_bit, end_bit - bits_left_out);
        return cudaPeekAtLastError();
    }
};

} // namespace cub
