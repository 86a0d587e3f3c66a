// Fault: The last elements of an output row are stored as a group of four, with the old padding.
// Origin: round 15
#include "contract.h"

#include <cstdint>
#include <cstring>
#include <emmintrin.h>

namespace exercise {

namespace {

__m128i load(const float* from) { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from)); }
void store(float* to, __m128i four) { _mm_storeu_si128(reinterpret_cast<__m128i*>(to), four); }

/// Calls visit(n, offset) for every id in reading order until it returns false.
template <class I, class Visit> void walk(const StridedIds<I>& ids, std::size_t N, const Visit& visit) {
    std::size_t index[StridedIds<I>::max_rank] = {};
    std::size_t offset = 0;
    for (std::size_t n = 0; n < N; ++n) {
        if (!visit(n, offset)) return;
        for (std::size_t axis = ids.rank; axis-- > 0;) {
            if (++index[axis] < ids.shape[axis]) {
                offset += ids.stride[axis];
                break;
            }
            offset -= (ids.shape[axis] - 1) * ids.stride[axis];
            index[axis] = 0;
        }
    }
}

template <class I> bool valid(I id, std::size_t V) { return id >= 0 && static_cast<std::uint64_t>(id) < V; }

template <class I> Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count(), V = table.rows, C = table.cols;
    if (out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    Status status;
    walk(ids, N, [&](std::size_t n, std::size_t offset) {
        const I id = ids.data[offset];
        if (valid(id, V)) return true;
        status = Status::id_out_of_range(n, id, V);
        return false;
    });
    if (status.code != Code::ok || C == 0) return status;
    walk(ids, N, [&](std::size_t n, std::size_t offset) {
        const auto row = static_cast<std::size_t>(ids.data[offset]);
        const float* from = table.row(row);
        float* to = out.row(n);
        const bool room = n + 1 < N && row + 1 < V && out.stride >= C + 3 && table.stride >= C + 3;
        std::size_t c = 0;
        for (; c + 4 <= C; c += 4) store(to + c, load(from + c));
        if (c < C && room) { // whole vectors only: the padding gets back what it holds
            const __m128i take = _mm_cmplt_epi32(_mm_set_epi32(3, 2, 1, 0), _mm_set1_epi32(static_cast<int>(C - c)));
            store(to + c, _mm_or_si128(_mm_and_si128(take, load(from + c)), _mm_andnot_si128(take, load(to + c))));
        } else if (c < C) {
            std::memcpy(to + c, from + c, (C - c) * sizeof(float));
        }
        return true;
    });
    return status;
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise
