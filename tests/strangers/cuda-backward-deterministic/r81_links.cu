// right: each place links to the next place of its token (64-bit links in scratch memory) and unmarks it as a head; heads then walk their chain, in blocks of 3 warps whatever options.threads says
#include "contract.h"

namespace exercise {
namespace {

constexpr std::size_t end_of_chain = ~std::size_t{0};

struct Node {
    std::size_t next;
    unsigned has_before;
    unsigned counts;
};

__global__ void prepare(DeviceMatrix<const TokenId> ids, std::size_t V, std::int64_t pad, Node* nodes) {
    const std::size_t N = ids.rows * ids.cols;
    for (std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; n < N;
         n += std::size_t{gridDim.x} * blockDim.x) {
        const std::int64_t id = ids(n / ids.cols, n % ids.cols);
        nodes[n].next = end_of_chain;
        nodes[n].has_before = 0;
        nodes[n].counts = id >= 0 && static_cast<std::uint64_t>(id) < V && id != pad;
    }
}

// A place has at most one that links to it, so nobody else writes its has_before.
__global__ void link(DeviceMatrix<const TokenId> ids, Node* nodes) {
    const std::size_t N = ids.rows * ids.cols;
    for (std::size_t n = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; n < N;
         n += std::size_t{gridDim.x} * blockDim.x) {
        if (!nodes[n].counts) continue;
        std::size_t b = n / ids.cols, t = n % ids.cols;
        const TokenId id = ids(b, t);
        for (std::size_t m = n + 1; m < N; ++m) {
            if (++t == ids.cols) t = 0, ++b;
            if (ids(b, t) == id) {
                nodes[n].next = m;
                nodes[m].has_before = 1;
                break;
            }
        }
    }
}

__global__ void walk(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids, DeviceMatrix<float> dwte,
                     const Node* nodes) {
    const std::size_t N = dout.batch * dout.time, C = dout.channels;
    for (std::size_t n = blockIdx.x; n < N; n += gridDim.x) {
        if (!nodes[n].counts || nodes[n].has_before) continue;
        float* const row = dwte.row(static_cast<std::size_t>(ids(n / dout.time, n % dout.time)));
        for (std::size_t c = threadIdx.x; c < C; c += blockDim.x) {
            float total = 0.0f;
            std::size_t at = n;
            do {
                float partial = 0.0f;
                for (std::size_t k = 0; k < terms_of_a_partial && at != end_of_chain; ++k, at = nodes[at].next)
                    partial = __fadd_rn(partial, dout.data[at * C + c]);
                total = __fadd_rn(total, partial);
            } while (at != end_of_chain);
            row[c] = __fadd_rn(row[c], total);
        }
    }
}

__global__ void stand(DeviceTensor3<const float> dout, DeviceMatrix<float> dwpe, std::size_t start) {
    for (std::size_t k = blockIdx.x; k < dout.time; k += gridDim.x) {
        const std::size_t t = dout.time - 1 - k;
        for (std::size_t c = threadIdx.x; c < dout.channels; c += blockDim.x) {
            float sum = 0.0f;
            for (std::size_t b = 0; b < dout.batch; ++b) sum = __fadd_rn(sum, dout(b, t, c));
            float& held = dwpe(start + t, c);
            held = __fadd_rn(held, sum);
        }
    }
}

unsigned at_most(std::size_t n, std::size_t limit) { return static_cast<unsigned>(n < limit ? n : limit); }

} // namespace

Status embed_backward(DeviceTensor3<const float> dout, DeviceMatrix<const TokenId> ids,
                      DeviceMatrix<float> dwte, DeviceMatrix<float> dwpe, const BackwardOptions& options,
                      cudaStream_t stream) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::uint64_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = options.start > dwpe.rows ? options.start : dwpe.rows;
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    const std::size_t N = ids.rows * ids.cols;
    if (N == 0 || dout.channels == 0) return Status{};
    Node* nodes = nullptr;
    cudaMallocAsync(reinterpret_cast<void**>(&nodes), N * sizeof(Node), stream);
    const unsigned blocks = at_most((N + 95) / 96, 7'777);
    prepare<<<blocks, 96, 0, stream>>>(ids, dwte.rows, options.padding_idx, nodes);
    link<<<blocks, 96, 0, stream>>>(ids, nodes);
    walk<<<at_most(N, 7'777), 96, 0, stream>>>(dout, ids, dwte, nodes);
    cudaFreeAsync(nodes, stream);
    stand<<<at_most(ids.cols, 7'777), 96, 0, stream>>>(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise
