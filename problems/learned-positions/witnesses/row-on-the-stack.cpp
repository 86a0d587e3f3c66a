// Fault: The position row is kept on the stack, which overflows from about 2,100,000 channels on.
// Origin: round 18
// Depth: thorough
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <alloca.h>

namespace exercise {

namespace {

/// The first reason to refuse the call, `Status{}` if there is none.
Status refusal(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
               const Tensor3<float>& out) {
    if (wpe.cols != wte.cols || out.batch != ids.rows || out.time != ids.cols || out.channels != wte.cols)
        return Status{Code::shape_mismatch};

    const std::size_t positions = wpe.rows;
    if (start > positions || ids.cols > positions - start) {
        const std::size_t missing = std::max(start, positions);
        return Status::position_out_of_range(missing - start, static_cast<std::int64_t>(missing), positions);
    }

    if (ids.cols == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::size_t>(id) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, id, wte.rows);
        }
    return Status{};
}

void add_rows(const float* token, const float* position, float* sum, std::size_t channels) {
    for (std::size_t c = 0; c < channels; ++c)
        sum[c] = token[c] + position[c];
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    const Status status = refusal(wte, wpe, ids, start, out);
    if (status.code != Code::ok) return status;

    const std::size_t batch = ids.rows, time = ids.cols, channels = wte.cols;
    if (batch == 0 || time == 0 || channels == 0) return Status{};

    // The row of a position is read from far away once, and is near for all sequences of the batch.
    auto* position = static_cast<float*>(alloca(channels * sizeof(float)));
    for (std::size_t t = 0; t < time; ++t) {
        std::memcpy(position, wpe.row(start + t), channels * sizeof(float));
        for (std::size_t b = 0; b < batch; ++b)
            add_rows(wte.row(static_cast<std::size_t>(ids(b, t))), position, out.row(b, t), channels);
    }
    return Status{};
}

} // namespace exercise
