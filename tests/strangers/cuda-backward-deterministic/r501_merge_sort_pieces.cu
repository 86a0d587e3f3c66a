// right: sorts the places by (token, place) with a merge sort in which every place finds its own place by binary search, then makes all partial sums at the same time, each into scratch memory, and adds those of a token in order.
#include "contract.h"

namespace exercise {
namespace {

using Token = std::uint32_t;
constexpr Token no_row = 0xFFFFFFFF; // sorts behind all tokens

__device__ std::size_t first_index() {
    return static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
}
__device__ std::size_t index_step() {
    return static_cast<std::size_t>(gridDim.x) * blockDim.x;
}

/// token[n] of place n, and the places in reading order.
__global__ void read_tokens(DeviceMatrix<const TokenId> ids, std::size_t vocabulary, std::int64_t padding,
                            std::size_t count, Token* token, std::size_t* order) {
    for (std::size_t n = first_index(); n < count; n += index_step()) {
        const TokenId id = ids(n / ids.cols, n % ids.cols);
        const bool has_row = id >= 0 && static_cast<std::size_t>(id) < vocabulary && id != padding;
        token[n] = has_row ? static_cast<Token>(id) : no_row;
        order[n] = n;
    }
}

__device__ bool before(const Token* token, std::size_t a, std::size_t b) {
    return token[a] < token[b] || (token[a] == token[b] && a < b);
}

/// Merges sorted runs of `width` places in pairs. No two places are equal, so where one belongs is the number of
/// those before it in its own run and in the other one.
__global__ void merge_runs(const Token* token, const std::size_t* from, std::size_t* to, std::size_t count,
                           std::size_t width) {
    for (std::size_t i = first_index(); i < count; i += index_step()) {
        const std::size_t place = from[i], run = i / width;
        const std::size_t pair = run / 2 * 2 * width; // where the two runs begin
        std::size_t low = run % 2 == 0 ? pair + width : pair;
        if (low > count) low = count;
        std::size_t high = low + width < count ? low + width : count;
        const std::size_t other = low;
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (before(token, from[middle], place))
                low = middle + 1;
            else
                high = middle;
        }
        to[pair + (i - run * width) + (low - other)] = place;
    }
}

/// How many places with the same token come before.
__global__ void number_places(const Token* token, const std::size_t* order, std::size_t count,
                              std::size_t* number) {
    for (std::size_t i = first_index(); i < count; i += index_step()) {
        const Token mine = token[order[i]];
        std::size_t low = 0, high = i;
        while (low < high) {
            const std::size_t middle = low + (high - low) / 2;
            if (token[order[middle]] < mine)
                low = middle + 1;
            else
                high = middle;
        }
        number[i] = i - low;
    }
}

/// partial[i, c] for each i at which a piece begins.
__global__ void add_pieces(DeviceTensor3<const float> dout, const Token* token, const std::size_t* order,
                           const std::size_t* number, std::size_t count, float* partial) {
    const std::size_t width = dout.channels;
    for (std::size_t e = first_index(); e < count * width; e += index_step()) {
        const std::size_t i = e / width, c = e % width;
        const Token mine = token[order[i]];
        if (mine == no_row || number[i] % terms_of_a_partial != 0) continue;
        float sum = 0.0f;
        std::size_t j = i;
        do {
            sum += dout.data[order[j] * width + c];
            ++j;
        } while (j < count && j < i + terms_of_a_partial && token[order[j]] == mine);
        partial[e] = sum;
    }
}

__global__ void add_totals(const Token* token, const std::size_t* order, const std::size_t* number,
                           std::size_t count, const float* partial, DeviceMatrix<float> dwte) {
    const std::size_t width = dwte.cols;
    for (std::size_t e = first_index(); e < count * width; e += index_step()) {
        const std::size_t i = e / width, c = e % width;
        const Token mine = token[order[i]];
        if (mine == no_row || number[i] != 0) continue;
        float total = 0.0f;
        for (std::size_t j = i; j < count && token[order[j]] == mine; j += terms_of_a_partial)
            total += partial[j * width + c];
        dwte(mine, c) += total;
    }
}

__global__ void add_positions(DeviceTensor3<const float> dout, std::size_t start, DeviceMatrix<float> dwpe) {
    const std::size_t width = dout.channels, window = dout.time * width;
    for (std::size_t e = first_index(); e < window; e += index_step()) {
        float sum = 0.0f;
        for (std::size_t b = 0; b < dout.batch; ++b)
            sum += dout.data[b * window + e];
        dwpe(start + e / width, e % width) += sum;
    }
}

unsigned grid(std::size_t work, unsigned threads) {
    const std::size_t blocks = (work + threads - 1) / threads;
    return static_cast<unsigned>(blocks < 65'535 ? blocks : 65'535);
}

template <class T>
T* scratch(std::size_t count, cudaStream_t stream) {
    void* memory = nullptr;
    cudaMallocAsync(&memory, count * sizeof(T), stream);
    return static_cast<T*>(memory);
}

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows;
    if (dwpe.cols != C || dout.batch != B || dout.time != T || dout.channels != C)
        return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= V)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(V)};
    if (options.start > P || T > P - options.start) {
        const std::size_t p = options.start > P ? options.start : P;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0 || C == 0) return {};

    const std::size_t count = B * T;
    const unsigned threads = options.threads;
    add_positions<<<grid(T * C, threads), threads, 0, stream>>>(dout, options.start, dwpe);
    if (V == 0) return {};

    Token* const token = scratch<Token>(count, stream);
    std::size_t* order = scratch<std::size_t>(count, stream);
    std::size_t* other = scratch<std::size_t>(count, stream);
    float* const partial = scratch<float>(count * C, stream);
    const unsigned some = grid(count, threads), many = grid(count * C, threads);

    read_tokens<<<some, threads, 0, stream>>>(ids, V, options.padding_idx, count, token, order);
    for (std::size_t width = 1; width < count; width *= 2) {
        merge_runs<<<some, threads, 0, stream>>>(token, order, other, count, width);
        std::size_t* const sorted = other;
        other = order;
        order = sorted;
    }
    std::size_t* const number = other; // its places are not needed any more
    number_places<<<some, threads, 0, stream>>>(token, order, count, number);
    add_pieces<<<many, threads, 0, stream>>>(dout, token, order, number, count, partial);
    add_totals<<<many, threads, 0, stream>>>(token, order, number, count, partial, dwte);

    cudaFreeAsync(token, stream);
    cudaFreeAsync(order, stream);
    cudaFreeAsync(number, stream);
    cudaFreeAsync(partial, stream);
    return {};
}

} // namespace exercise
