// right: every number n is taken apart into its indices by division, so parts can begin anywhere; from 8,192 ids on, four threads check (the smallest n wins through an atomic minimum), are joined, and then copy
#include "contract.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <thread>

namespace exercise {

namespace {

template <class I>
I id_number(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t axis = ids.rank; axis-- > 0;) {
        offset += n % ids.shape[axis] * ids.stride[axis];
        n /= ids.shape[axis];
    }
    return ids.data[offset];
}

/// Calls work(first, last) for parts of [0, N), and returns when all are done.
template <class Work>
void in_parts(std::size_t N, const Work& work) {
    const std::size_t workers = N < 8192 ? 1 : 4;
    const std::size_t share = N / workers;
    std::thread team[4];
    for (std::size_t w = 1; w < workers; ++w) {
        const std::size_t first = w * share;
        const std::size_t last = w + 1 == workers ? N : first + share;
        try {
            team[w] = std::thread([&work, first, last] { work(first, last); });
        } catch (...) {
            work(first, last);
        }
    }
    work(0, workers == 1 ? N : share);
    for (std::thread& each : team)
        if (each.joinable()) each.join();
}

template <class I>
Status gather(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t N = ids.count();
    if (out.rows != N || out.cols != table.cols) return Status{Code::shape_mismatch};

    std::atomic<std::size_t> bad{N};
    in_parts(N, [&](std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; ++n) {
            const std::int64_t id = id_number(ids, n);
            if (id >= 0 && static_cast<std::uint64_t>(id) < table.rows) continue;
            std::size_t known = bad.load();
            while (n < known && !bad.compare_exchange_weak(known, n)) {}
            return;
        }
    });
    if (const std::size_t n = bad.load(); n < N) return Status::id_out_of_range(n, id_number(ids, n), table.rows);
    if (table.cols == 0) return Status{};

    in_parts(N, [&](std::size_t first, std::size_t last) {
        for (std::size_t n = first; n < last; ++n)
            std::copy_n(table.row(static_cast<std::size_t>(id_number(ids, n))), table.cols, out.row(n));
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
