// right: links each place to the next one of its token, cuts the chains into pieces of 16 whose partial sums different threads make in scratch memory, then adds those; positions are done on a second stream that events tie to the caller's
#include "contract.h"

namespace exercise {
namespace {

struct Chains {
    std::size_t* next;  // of a place: the next place of its token, or the number of places
    std::size_t* piece; // of the first place of a piece: that of the next piece, or the number of places
    float* partial;     // (places, C): only rows of places where pieces begin are in use
    unsigned char* opens_token;
    unsigned char* opens_piece;
};

__global__ void link_places(DeviceMatrix<const TokenId> ids, Chains chains, std::size_t vocabulary,
                            std::int64_t padding) {
    const std::size_t count = ids.rows * ids.cols, width = ids.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t place = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; place < count;
         place += step) {
        const TokenId id = ids(place / width, place % width);
        chains.opens_token[place] = chains.opens_piece[place] = 0;
        if (id < 0 || static_cast<std::size_t>(id) >= vocabulary || id == padding) continue;
        std::size_t after = place + 1;
        while (after < count && ids(after / width, after % width) != id)
            ++after;
        chains.next[place] = after;
        std::size_t before = place;
        while (before > 0 && ids((before - 1) / width, (before - 1) % width) != id)
            --before;
        if (before == 0) chains.opens_token[place] = chains.opens_piece[place] = 1;
    }
}

__global__ void cut(Chains chains, std::size_t count) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t first = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; first < count;
         first += step) {
        if (!chains.opens_token[first]) continue;
        std::size_t begin = first, place = chains.next[first];
        for (std::size_t k = 1; place < count; ++k, place = chains.next[place]) {
            if (k % terms_of_a_partial != 0) continue;
            chains.opens_piece[place] = 1;
            chains.piece[begin] = place;
            begin = place;
        }
        chains.piece[begin] = count;
    }
}

__global__ void add_pieces(DeviceTensor3<const float> dout, Chains chains, std::size_t count) {
    const std::size_t C = dout.channels, step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count * C;
         i += step) {
        std::size_t place = i / C;
        const std::size_t c = i % C;
        if (!chains.opens_piece[place]) continue;
        float sum = 0.0F;
        for (std::size_t k = 0; k < terms_of_a_partial && place < count; ++k, place = chains.next[place])
            sum += dout.data[place * C + c];
        chains.partial[i] = sum;
    }
}

__global__ void add_tokens(DeviceMatrix<const TokenId> ids, Chains chains, DeviceMatrix<float> dwte) {
    const std::size_t C = dwte.cols, count = ids.rows * ids.cols;
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count * C;
         i += step) {
        const std::size_t first = i / C, c = i % C;
        if (!chains.opens_token[first]) continue;
        float total = 0.0F;
        for (std::size_t place = first; place < count; place = chains.piece[place])
            total += chains.partial[place * C + c];
        dwte(static_cast<std::size_t>(ids(first / ids.cols, first % ids.cols)), c) += total;
    }
}

__global__ void add_positions(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    const std::size_t step = static_cast<std::size_t>(gridDim.x) * blockDim.x, all = dout.time * dout.channels;
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < all; i += step) {
        float sum = 0.0F;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout.data[b * all + i];
        dwpe(start + i / dout.channels, i % dout.channels) += sum;
    }
}

Status refusal(const DeviceTensor3<const float>& dout, const DeviceMatrix<const TokenId>& ids,
               const DeviceMatrix<float>& dwte, const DeviceMatrix<float>& dwpe,
               const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    const std::size_t start = options.start, P = dwpe.rows;
    if (start > P || dout.time > P - start) {
        const std::size_t p = start > P ? start : P;
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    return Status{};
}

unsigned blocks_of_128(std::size_t work) {
    const std::size_t blocks = (work + 127) / 128;
    return static_cast<unsigned>(blocks < 100'000 ? blocks : 100'000);
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const Status status = refusal(dout, ids, dwte, dwpe, options);
    const std::size_t count = ids.rows * ids.cols, C = dout.channels;
    if (status.code != Code::ok || count == 0 || C == 0) return status;

    cudaStream_t side;
    cudaEvent_t begun, done;
    cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&begun, cudaEventDisableTiming);
    cudaEventCreateWithFlags(&done, cudaEventDisableTiming);

    cudaEventRecord(begun, stream);
    cudaStreamWaitEvent(side, begun, 0);
    add_positions<<<blocks_of_128(dout.time * C), 128, 0, side>>>(dout, dwpe, options.start);
    cudaEventRecord(done, side);

    unsigned char* memory = nullptr;
    cudaMallocAsync(reinterpret_cast<void**>(&memory),
                    count * (2 * sizeof(std::size_t) + C * sizeof(float) + 2), stream);
    Chains chains;
    chains.next = reinterpret_cast<std::size_t*>(memory);
    chains.piece = chains.next + count;
    chains.partial = reinterpret_cast<float*>(chains.piece + count);
    chains.opens_token = reinterpret_cast<unsigned char*>(chains.partial + count * C);
    chains.opens_piece = chains.opens_token + count;

    link_places<<<blocks_of_128(count), 128, 0, stream>>>(ids, chains, dwte.rows, options.padding_idx);
    cut<<<blocks_of_128(count), 128, 0, stream>>>(chains, count);
    add_pieces<<<blocks_of_128(count * C), 128, 0, stream>>>(dout, chains, count);
    add_tokens<<<blocks_of_128(count * C), 128, 0, stream>>>(ids, chains, dwte);
    cudaFreeAsync(memory, stream);

    cudaStreamWaitEvent(stream, done, 0);
    cudaEventDestroy(begun);
    cudaEventDestroy(done);
    cudaStreamDestroy(side);
    return status;
}

} // namespace exercise
