// wrong: where C and both strides are multiples of 4 it copies in aligned units of 16 bytes without looking at the addresses; shows (a fault, or undefined behaviour) where table or out is aligned to 4 bytes only; a right one copies from any float address
#include "contract.h"

namespace exercise {

struct alignas(16) Quad {
    float f[4];
};

template <class I>
static Status lookup(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    const auto row_of = [&](std::size_t n) -> std::int64_t {
        std::size_t offset = 0;
        for (std::size_t a = ids.rank; a-- > 0; n /= ids.shape[a])
            offset += n % ids.shape[a] * ids.stride[a];
        return ids.data[offset];
    };
    for (std::size_t n = 0; n < count; ++n)
        if (const std::int64_t id = row_of(n); id < 0 || static_cast<std::uint64_t>(id) >= table.rows)
            return Status::id_out_of_range(n, id, table.rows);

    const bool quads = table.cols % 4 == 0 && table.stride % 4 == 0 && out.stride % 4 == 0;
    for (std::size_t n = 0; n < count && table.cols > 0; ++n) {
        const float* from = table.row(static_cast<std::size_t>(row_of(n)));
        float* to = out.row(n);
        if (quads) {
            const Quad* source = reinterpret_cast<const Quad*>(from);
            Quad* target = reinterpret_cast<Quad*>(to);
            for (std::size_t q = 0; q < table.cols / 4; ++q)
                target[q] = source[q];
        } else {
            for (std::size_t c = 0; c < table.cols; ++c)
                to[c] = from[c];
        }
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
