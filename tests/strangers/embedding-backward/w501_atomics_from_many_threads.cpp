// wrong: four threads take runs of tokens as they come and add with atomic operations, so for batches above 16,384 elements the order of additions, and with it the last bits of rows with several readers, differs from call to call; a right one has one fixed order.
#include "contract.h"

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace exercise {
namespace {

void add_atomically(float& to, float value) {
    std::atomic_ref<float>(to).fetch_add(value, std::memory_order_relaxed);
}

struct Work {
    Tensor3<const float> dout;
    Ids2D ids;
    Matrix<float> dwte;
    Matrix<float> dwpe;
    const BackwardOptions& options;

    void tokens(std::size_t from, std::size_t to) const {
        for (std::size_t i = from; i < to; ++i) {
            const std::size_t b = i / ids.cols;
            const std::size_t t = i % ids.cols;
            const TokenId id = ids(b, t);
            const float* gradient = dout.row(b, t);
            if (id != options.padding_idx) {
                float* row = dwte.row(static_cast<std::size_t>(id));
                for (std::size_t c = 0; c < dout.channels; ++c)
                    add_atomically(row[c], options.scale * gradient[c]);
            }
            float* row = dwpe.row(options.start + t);
            for (std::size_t c = 0; c < dout.channels; ++c)
                add_atomically(row[c], gradient[c]);
        }
    }
};

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols || dwte.cols != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    const std::size_t count = ids.rows * ids.cols;
    for (std::size_t i = 0; i < count; ++i)
        if (const TokenId id = ids(i / ids.cols, i % ids.cols);
            id < 0 || static_cast<std::size_t>(id) >= dwte.rows)
            return Status::id_out_of_range(i, id, dwte.rows);

    const Work work{dout, ids, dwte, dwpe, options};
    if (count * dout.channels <= 16384) {
        work.tokens(0, count);
        return Status{};
    }
    constexpr std::size_t run = 8;
    std::atomic<std::size_t> next = 0;
    std::vector<std::jthread> threads;
    for (int k = 0; k < 4; ++k)
        threads.emplace_back([&] {
            for (std::size_t from = next.fetch_add(run); from < count; from = next.fetch_add(run))
                work.tokens(from, std::min(from + run, count));
        });
    threads.clear();
    return Status{};
}

} // namespace exercise
