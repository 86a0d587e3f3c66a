// wrong: where dout lies on 16 bytes and C is a multiple of 4, two sequences are added to each other before they go to dwpe, elsewhere one by one, so equal calls at another address give other last bits (B >= 2); a right one adds in the same order wherever its views lie.
#include "contract.h"

#include <algorithm>
#include <cstdint>

namespace exercise {
namespace {

struct alignas(16) Four {
    float value[4];
};

bool on_16(const float* pointer) {
    return reinterpret_cast<std::uintptr_t>(pointer) % 16 == 0;
}

void add(float* to, const float* from, float factor, std::size_t count) {
    for (std::size_t c = 0; c < count; ++c)
        to[c] += factor * from[c];
}

/// Both rows lie on 16 bytes, which the compiler may use; half as many passes over `to`.
void add_two(float* to, const float* first, const float* second, std::size_t count) {
    const auto* a = static_cast<const float*>(__builtin_assume_aligned(first, sizeof(Four)));
    const auto* b = static_cast<const float*>(__builtin_assume_aligned(second, sizeof(Four)));
    for (std::size_t c = 0; c < count; ++c)
        to[c] += a[c] + b[c];
}

void add_positions(Tensor3<const float> dout, Matrix<float> dwpe, std::size_t start) {
    const bool vectors = on_16(dout.data) && dout.channels % 4 == 0;
    for (std::size_t t = 0; t < dout.time; ++t) {
        float* to = dwpe.row(start + t);
        std::size_t b = 0;
        if (vectors)
            for (; b + 2 <= dout.batch; b += 2)
                add_two(to, dout.row(b, t), dout.row(b + 1, t), dout.channels);
        for (; b < dout.batch; ++b)
            add(to, dout.row(b, t), 1.0F, dout.channels);
    }
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return Status{Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return Status{Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (ids.rows == 0 || ids.cols == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= dwte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), dwte.rows);

    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) != options.padding_idx)
                add(dwte.row(static_cast<std::size_t>(ids(b, t))), dout.row(b, t), options.scale, dout.channels);
    add_positions(dout, dwpe, options.start);
    return Status{};
}

} // namespace exercise
