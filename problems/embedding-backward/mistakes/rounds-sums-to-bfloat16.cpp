// mistake: rounds-sums-to-bfloat16
// says: Your running sums keep 8 significant bits: with 256 in the sum, adding 1 changes nothing.
//   Accumulate in float at least.
// hint: What is 256 + 1 in a number format with 8 significant bits?
// symptom: Gradients of the most frequent tokens stall.
// fails: a second call adds to the first; the padding token gets no gradient;
//   random shapes agree with the reference; rows of any width are summed whole;
//   eight thousand equal ids give exactly eight thousand;
//   a hundred thousand random terms stay within their rounding; backward is the adjoint of forward;
//   finite differences give the same gradients; a gradient table of nine gigabytes is addressed whole
#include "contract.h"

#include <algorithm>
#include <bit>

namespace exercise {
namespace {

/// The nearest number with 8 significant bits, ties to even.
float bfloat16(float value) {
    if (!(value - value == 0.0F)) return value; // Inf and NaN
    std::uint32_t bits = std::bit_cast<std::uint32_t>(value);
    bits += 0x7fff + (bits >> 16 & 1);
    return std::bit_cast<float>(bits & 0xffff0000);
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows;
    const std::size_t T = ids.cols;
    const std::size_t C = dout.channels;
    if (dout.batch != B || dout.time != T || dwte.cols != C || dwpe.cols != C) return {Code::shape_mismatch};
    const auto V = static_cast<std::int64_t>(dwte.rows);
    if (options.padding_idx >= V) return {Code::invalid_argument, 0, options.padding_idx, V};
    if (options.start > dwpe.rows || T > dwpe.rows - options.start) {
        const std::size_t position = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(position - options.start, static_cast<std::int64_t>(position),
                                             dwpe.rows);
    }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || ids(b, t) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), dwte.rows);

    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* gradient = dout.row(b, t);
            float* token = dwte.row(static_cast<std::size_t>(ids(b, t)));
            float* position = dwpe.row(options.start + t);
            if (ids(b, t) != options.padding_idx)
                for (std::size_t c = 0; c < C; ++c)
                    token[c] = bfloat16(token[c] + options.scale * gradient[c]);
            for (std::size_t c = 0; c < C; ++c)
                position[c] = bfloat16(position[c] + gradient[c]);
        }
    return {};
}

} // namespace exercise
