// wrong: blocks of four columns are found with an offset of type unsigned, which wraps where id * stride + c reaches 2^32 (the tail of 0 to 3 columns is right); a right one multiplies in 64 bits
#include "contract.h"

#include <cstring>

namespace exercise {

template <class I>
static std::size_t offset_of(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t a = ids.rank; a-- > 0; n /= ids.shape[a])
        offset += n % ids.shape[a] * ids.stride[a];
    return offset;
}

template <class I>
static Status lookup(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t n = 0; n < count; ++n) {
        const std::int64_t id = ids.data[offset_of(ids, n)];
        if (id < 0 || static_cast<std::size_t>(id) >= table.rows)
            return Status::id_out_of_range(n, id, table.rows);
    }

    const unsigned blocks = static_cast<unsigned>(table.cols / 4);
    const unsigned stride = static_cast<unsigned>(table.stride);
    for (std::size_t n = 0; n < count; ++n) {
        const I id = ids.data[offset_of(ids, n)];
        float* to = out.data + n * out.stride;
        for (unsigned b = 0; b < blocks; ++b) {
            const unsigned from = static_cast<unsigned>(id) * stride + 4 * b;
            std::memcpy(to + 4 * std::size_t{b}, table.data + from, 4 * sizeof(float));
        }
        for (std::size_t c = table.cols / 4 * 4; c < table.cols; ++c)
            to[c] = table(static_cast<std::size_t>(id), c);
    }
    return Status{};
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

} // namespace exercise
