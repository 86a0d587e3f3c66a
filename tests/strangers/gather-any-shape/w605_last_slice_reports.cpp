// wrong: from 1,024 ids on four threads check a quarter each, and the verdict of a later quarter replaces that of an earlier one; shows where bad ids lie in two quarters; a right one reports the first
#include "contract.h"

#include <array>
#include <cstring>
#include <thread>

namespace exercise {

template <class I>
static const I& nth(const StridedIds<I>& ids, std::size_t n) {
    std::size_t offset = 0;
    for (std::size_t a = ids.rank; a-- > 0; n /= ids.shape[a])
        offset += n % ids.shape[a] * ids.stride[a];
    return ids.data[offset];
}

template <class I>
static Status check(const StridedIds<I>& ids, std::size_t begin, std::size_t end, std::size_t vocabulary) {
    for (std::size_t n = begin; n < end; ++n)
        if (const std::int64_t id = nth(ids, n); id < 0 || static_cast<std::size_t>(id) >= vocabulary)
            return Status::id_out_of_range(n, id, vocabulary);
    return Status{};
}

template <class I>
static Status lookup(Matrix<const float> table, const StridedIds<I>& ids, Matrix<float> out) {
    const std::size_t count = ids.count();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};

    Status status;
    if (count < 1024) {
        status = check(ids, 0, count, table.rows);
    } else {
        std::array<std::thread, 4> threads;
        std::array<Status, 4> verdicts;
        for (std::size_t k = 0; k < 4; ++k)
            threads[k] = std::thread([&, k] {
                verdicts[k] = check(ids, count / 4 * k, k == 3 ? count : count / 4 * (k + 1), table.rows);
            });
        for (std::size_t k = 0; k < 4; ++k) {
            threads[k].join();
            if (verdicts[k].code != Code::ok) status = verdicts[k];
        }
    }
    if (status.code != Code::ok || table.cols == 0) return status;

    for (std::size_t n = 0; n < count; ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(nth(ids, n))), table.cols * sizeof(float));
    return status;
}

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return lookup(table, ids, out);
}

} // namespace exercise
