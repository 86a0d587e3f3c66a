// wrong: from 4,096 ids on four threads check a quarter each, and the results are read without stopping at the first one found; with bad ids in two quarters the one of the later quarter is reported, where a right one reports the first in reading order.
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

namespace exercise {

namespace {

template <class I>
std::size_t offset_of(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = ids.rank; axis-- > 0; n /= ids.shape[axis])
        offset += n % ids.shape[axis] * ids.stride[axis];
    return offset;
}

// The first bad id among those with the numbers begin .. end - 1.
template <class I>
Status check(const StridedIds<I>& ids, std::size_t begin, std::size_t end, std::size_t V) {
    for (std::size_t n = begin; n < end; ++n) {
        const I id = ids.data[offset_of(ids, n)];
        if (id < 0 || static_cast<std::uint64_t>(id) >= V) return Status::id_out_of_range(n, id, V);
    }
    return Status{};
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count(), C = table.cols, V = table.rows;
    if (out.rows != N || out.cols != C) return Status{Code::shape_mismatch};

    const std::size_t parts = N < 4096 ? 1 : 4;
    const std::size_t part = (N + parts - 1) / parts;
    std::vector<Status> found(parts);
    std::vector<std::thread> threads;
    for (std::size_t k = 1; k < parts; ++k)
        threads.emplace_back([&, k] { found[k] = check(ids, std::min(N, k * part), std::min(N, (k + 1) * part), V); });
    found[0] = check(ids, 0, std::min(N, part), V);
    for (std::thread& thread : threads)
        thread.join();

    Status status;
    for (const Status& one : found)
        if (one.code != Code::ok) status = one;
    if (status.code != Code::ok || C == 0) return status;

    for (std::size_t n = 0; n < N; ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids.data[offset_of(ids, n)])), C * sizeof(float));
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
