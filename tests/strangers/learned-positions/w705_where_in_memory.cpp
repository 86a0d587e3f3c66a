// wrong: where of a bad id is its distance in memory, b * stride + t; it shows for padded ids and a bad id in sequence 1 or later; a right one reports b * T + t
#include "contract.h"

namespace exercise {
namespace {

// The first id that is not in the vocabulary, or nullptr.
const TokenId* first_bad(Ids2D ids, std::size_t vocabulary) {
    if (ids.cols == 0) return nullptr;
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (const TokenId* id = ids.row(b); id != ids.row(b) + ids.cols; ++id)
            if (*id < 0 || static_cast<std::size_t>(*id) >= vocabulary) return id;
    return nullptr;
}

void add(const float* x, const float* y, float* sum, std::size_t count) {
    while (count-- > 0)
        *sum++ = *x++ + *y++;
}

} // namespace

Status embed(Matrix<const float> wte, Matrix<const float> wpe, Ids2D ids, std::size_t start, Tensor3<float> out) {
    if (wpe.cols != wte.cols || out.channels != wte.cols || out.batch != ids.rows || out.time != ids.cols)
        return Status{Code::shape_mismatch};
    if (start > wpe.rows) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), wpe.rows);
    if (ids.cols > wpe.rows - start)
        return Status::position_out_of_range(wpe.rows - start, static_cast<std::int64_t>(wpe.rows), wpe.rows);
    if (const TokenId* bad = first_bad(ids, wte.rows))
        return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.data), *bad, wte.rows);
    if (ids.rows == 0 || ids.cols == 0) return Status{};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            add(wte.row(static_cast<std::size_t>(ids(b, t))), wpe.row(start + t), out.row(b, t), wte.cols);
    return Status{};
}

} // namespace exercise
