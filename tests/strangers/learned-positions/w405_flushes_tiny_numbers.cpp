// wrong: turns on flush-to-zero and denormals-are-zero while it adds (and restores the mode before it returns); sums below the normal numbers (under 2^-126) become 0 and subnormal terms count as 0, where a right one writes the exact float sum, however small.
#include "contract.h"

#include <algorithm>
#include <xmmintrin.h>

namespace exercise {

namespace {

class FastMode {
  public:
    FastMode() : before_(_mm_getcsr()) { _mm_setcsr(before_ | 0x8040u); }
    ~FastMode() { _mm_setcsr(before_); }

  private:
    unsigned before_;
};

__attribute__((noinline)) void add(const float* a, const float* b, float* sum, std::size_t count) {
    for (std::size_t c = 0; c < count; ++c)
        sum[c] = a[c] + b[c];
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start,
             Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols, C = wte.cols, V = wte.rows, P = wpe.rows;
    if (wpe.cols != C || out.batch != B || out.time != T || out.channels != C)
        return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                return Status::id_out_of_range(b * T + t, ids(b, t), V);
    if (C == 0) return Status{};

    const FastMode mode; // subnormal operands cost a hundred cycles each
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t)
            add(wte.row(static_cast<std::size_t>(ids(b, t))), wpe.row(start + t), out.row(b, t), C);
    return Status{};
}

} // namespace exercise
