// right: visits the ids in the order of memory (axes sorted by stride), keeps the smallest number n of all bad ids, looks at an axis of stride 0 once when it checks, and copies row n wherever n turns up.
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {

namespace {

struct Axis {
    std::size_t size = 1;
    std::size_t stride = 0; // in memory
    std::size_t weight = 0; // what a step along the axis adds to n
};

// Calls visit(offset, n) for every index of the four axes, the first one slowest.
template <class F>
void visit_all(const Axis (&axis)[4], const F& visit) {
    for (std::size_t i = 0; i < axis[0].size; ++i)
        for (std::size_t j = 0; j < axis[1].size; ++j)
            for (std::size_t k = 0; k < axis[2].size; ++k)
                for (std::size_t l = 0; l < axis[3].size; ++l)
                    visit(i * axis[0].stride + j * axis[1].stride + k * axis[2].stride + l * axis[3].stride,
                          i * axis[0].weight + j * axis[1].weight + k * axis[2].weight + l * axis[3].weight);
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count(), C = table.cols, V = table.rows;
    if (out.rows != N || out.cols != C) return Status{Code::shape_mismatch};
    if (N == 0) return Status{};

    Axis axis[4]; // those that the view has not are of size 1
    std::size_t weight = 1;
    for (std::size_t a = ids.rank; a-- > 0;) {
        axis[a] = {ids.shape[a], ids.stride[a], weight};
        weight *= ids.shape[a];
    }
    std::stable_sort(axis, axis + 4, [](const Axis& a, const Axis& b) { return a.stride > b.stride; });

    // Along an axis of stride 0 index 0 has the same ids as every other, and the smaller n.
    Axis once[4];
    std::copy(axis, axis + 4, once);
    for (Axis& a : once)
        if (a.stride == 0) a.size = 1;

    const I* first = ids.data;
    std::size_t bad_n = 0, bad_offset = 0;
    bool bad = false;
    visit_all(once, [&](std::size_t offset, std::size_t n) {
        const I id = first[offset];
        if (id >= 0 && static_cast<std::uint64_t>(id) < V) return;
        if (bad && n > bad_n) return;
        bad = true;
        bad_n = n;
        bad_offset = offset;
    });
    if (bad) return Status::id_out_of_range(bad_n, first[bad_offset], V);
    if (C == 0) return Status{};

    visit_all(axis, [&](std::size_t offset, std::size_t n) {
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(first[offset])), C * sizeof(float));
    });
    return Status{};
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return gather(table, ids, out);
}

} // namespace exercise
