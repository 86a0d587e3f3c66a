// right: after the check it copies in batches of 2,048 ids sorted by table row, so out is written out of order; each id is found by dividing its number, columns are copied in bands from the last to the first
#include "contract.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>

namespace exercise {
namespace {

using IdAt = std::function<std::int64_t(std::size_t)>;

Status ordered(const Matrix<const float>& table, std::size_t count, const IdAt& id_at,
               const Matrix<float>& out) {
    if (count != out.rows || table.cols != out.cols) {
        Status refused;
        refused.code = Code::shape_mismatch;
        return refused;
    }
    for (std::size_t n = 0; n != count; ++n) {
        const std::int64_t id = id_at(n);
        const bool good = id >= 0 && static_cast<std::size_t>(id) < table.rows;
        if (!good) return Status::id_out_of_range(n, id, table.rows);
    }
    if (table.cols == 0) return {};

    struct Job {
        std::size_t from, to;
    };
    static constexpr std::size_t batch = 2048, band = 1000;
    std::array<Job, batch> jobs;
    for (std::size_t begin = 0; begin < count; begin += std::min(batch, count - begin)) {
        const std::size_t size = std::min(batch, count - begin);
        for (std::size_t j = 0; j < size; ++j)
            jobs[j] = {static_cast<std::size_t>(id_at(begin + j)), begin + j};
        std::sort(jobs.begin(), jobs.begin() + static_cast<std::ptrdiff_t>(size),
                  [](const Job& a, const Job& b) { return a.from < b.from; });
        for (std::size_t j = 0; j < size; ++j) {
            const float* source = &table.data[jobs[j].from * table.stride];
            float* target = &out.data[jobs[j].to * out.stride];
            for (std::size_t left = table.cols; left > 0;) {
                const std::size_t part = (left - 1) % band + 1;
                left -= part;
                std::memcpy(target + left, source + left, part * sizeof(float));
            }
        }
    }
    return {};
}

template <class I>
IdAt reader(const StridedIds<I>& ids) {
    return [&ids](std::size_t n) -> std::int64_t {
        std::size_t offset = 0;
        for (std::size_t a = ids.rank; a > 0; --a) {
            offset += n % ids.shape[a - 1] * ids.stride[a - 1];
            n /= ids.shape[a - 1];
        }
        return ids.data[offset];
    };
}

} // namespace

Status gather32(Matrix<const float> table, StridedIds<std::int32_t> ids, Matrix<float> out) {
    return ordered(table, ids.count(), reader(ids), out);
}

Status gather64(Matrix<const float> table, StridedIds<std::int64_t> ids, Matrix<float> out) {
    return ordered(table, ids.count(), reader(ids), out);
}

} // namespace exercise
