// wrong: switches flush-to-zero on for the sums (and back afterwards), so a sum below 2^-126 that is not 0 becomes 0; a right one gives the denormal bit for bit
#include "contract.h"

#include <xmmintrin.h>

namespace exercise {
namespace {

// Denormals are slow and no model needs them. The caller's mode comes back at the end.
class NoDenormals {
  public:
    NoDenormals() : before_(_mm_getcsr()) { _mm_setcsr(before_ | _MM_FLUSH_ZERO_ON); }
    ~NoDenormals() { _mm_setcsr(before_); }
    NoDenormals(const NoDenormals&) = delete;
    NoDenormals& operator=(const NoDenormals&) = delete;

  private:
    unsigned before_;
};

[[gnu::noinline]] void add_rows(const float* token, const float* position, float* to, std::size_t count) {
    for (std::size_t c = 0; c < count; ++c)
        to[c] = token[c] + position[c];
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.channels != wte.cols || out.batch != ids.rows || out.time != ids.cols)
        return Status{Code::shape_mismatch};
    const std::size_t p = start > wpe.rows ? start : wpe.rows;
    if (start > wpe.rows || p - start < ids.cols)
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), wpe.rows);
    if (ids.rows == 0 || ids.cols == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= wte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), wte.rows);
    const NoDenormals mode;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            add_rows(wte.row(static_cast<std::size_t>(ids(b, t))), wpe.row(start + t), out.row(b, t), wte.cols);
    return Status{};
}

} // namespace exercise
