// wrong: the fill of the hash table's keys names no stream and runs on the default stream, beside the caller's: a race where `stream` is another one; a right one fills on `stream`
#include "contract.h"

namespace exercise {
namespace {

using Count = unsigned long long;

struct Scratch {
    TokenId* keys = nullptr;  // of a slot; -1: free
    Count* newest = nullptr;  // of a slot: its token's newest place, plus 1
    Count* slot_of = nullptr; // of a place; slots: no row to add to
    Count* older = nullptr;   // of a place: the next older one with its token, plus 1
    Count slots = 0;          // a power of two
};

__global__ void link(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding_idx,
                     Scratch scratch) {
    const Count places = ids.rows * ids.cols;
    const Count step = static_cast<Count>(gridDim.x) * blockDim.x;
    for (Count place = static_cast<Count>(blockIdx.x) * blockDim.x + threadIdx.x; place < places; place += step) {
        const TokenId id = ids(place / ids.cols, place % ids.cols);
        if (id < 0 || static_cast<std::size_t>(id) >= vocabulary || id == padding_idx) {
            scratch.slot_of[place] = scratch.slots;
            continue;
        }
        unsigned hash = static_cast<unsigned>(id) * 0x9E3779B1u;
        hash ^= hash >> 15;
        Count slot = hash & (scratch.slots - 1);
        for (;;) {
            const TokenId key = atomicCAS(&scratch.keys[slot], -1, id);
            if (key == -1 || key == id) break;
            slot = (slot + 1) & (scratch.slots - 1);
        }
        scratch.slot_of[place] = slot;
        scratch.older[place] = atomicExch(&scratch.newest[slot], place + 1);
    }
}

__global__ void tokens(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                       DeviceMatrix<float> dwte, Scratch scratch) {
    for (Count place = blockIdx.x; place < dout.batch * dout.time; place += gridDim.x) {
        const Count slot = scratch.slot_of[place];
        if (slot == scratch.slots || scratch.newest[slot] != place + 1) continue;
        float* row = dwte.row(static_cast<std::size_t>(ids(place / ids.cols, place % ids.cols)));
        for (std::size_t c = static_cast<std::size_t>(blockIdx.y) * blockDim.x + threadIdx.x; c < dout.channels;
             c += static_cast<std::size_t>(gridDim.y) * blockDim.x) {
            float sum = 0.0f;
            for (Count at = place + 1; at != 0; at = scratch.older[at - 1])
                sum += dout.data[(at - 1) * dout.channels + c];
            row[c] += sum;
        }
    }
}

__global__ void positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    for (std::size_t t = blockIdx.x; t < dout.time; t += gridDim.x)
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            float sum = 0.0f;
            for (std::size_t b = 0; b < dout.batch; ++b)
                sum += dout(b, t, c);
            dwpe(start + t, c) += sum;
        }
}

unsigned at_most(std::size_t blocks) { return blocks < 32768 ? static_cast<unsigned>(blocks) : 32768u; }

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    if (ids.rows != dout.batch || ids.cols != dout.time) return Status{Code::shape_mismatch};
    if (dwte.cols != dout.channels || dwpe.cols != dout.channels) return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
    if (options.start > dwpe.rows || dout.time > p - options.start)
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    const std::size_t places = dout.batch * dout.time;
    if (places == 0 || dout.channels == 0) return Status{};

    Scratch scratch;
    scratch.slots = 2;
    while (scratch.slots < 2 * places)
        scratch.slots *= 2;
    const std::size_t keys_bytes = scratch.slots * sizeof(TokenId);
    const std::size_t newest_bytes = scratch.slots * sizeof(Count);
    cudaMallocAsync(reinterpret_cast<void**>(&scratch.keys), keys_bytes, stream);
    cudaMallocAsync(reinterpret_cast<void**>(&scratch.newest), newest_bytes, stream);
    cudaMallocAsync(reinterpret_cast<void**>(&scratch.slot_of), places * sizeof(Count), stream);
    cudaMallocAsync(reinterpret_cast<void**>(&scratch.older), places * sizeof(Count), stream);
    cudaMemsetAsync(scratch.keys, 0xFF, keys_bytes);
    cudaMemsetAsync(scratch.newest, 0, newest_bytes, stream);
    link<<<at_most((places + 127) / 128), 128, 0, stream>>>(ids, dwte.rows, options.padding_idx, scratch);
    const std::size_t columns = (dout.channels + 127) / 128;
    const dim3 grid(at_most(places), static_cast<unsigned>(columns < 64 ? columns : 64));
    tokens<<<grid, 128, 0, stream>>>(dout, ids, dwte, scratch);
    positions<<<at_most(dout.time), 128, 0, stream>>>(dout, dwpe, options.start);
    cudaFreeAsync(scratch.older, stream);
    cudaFreeAsync(scratch.slot_of, stream);
    cudaFreeAsync(scratch.newest, stream);
    cudaFreeAsync(scratch.keys, stream);
    return Status{};
}

} // namespace exercise
