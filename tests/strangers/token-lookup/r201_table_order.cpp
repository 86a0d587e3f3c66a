// right: visits the ids in the order of the table (sorted numbers of the ids), copies each distinct row once from the table and its repetitions from the output row written before, word by word as integers for short rows; the check runs from the last id to the first.
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <numeric>
#include <vector>

namespace exercise {
namespace {

void copy(float* to, const float* from, std::size_t cols) {
    if (cols < 8) {
        for (std::size_t c = cols; c-- > 0;) {
            unsigned word;
            static_assert(sizeof word == sizeof(float));
            std::memcpy(&word, from + c, sizeof word);
            std::memcpy(to + c, &word, sizeof word);
        }
    } else {
        std::memcpy(to, from, cols * sizeof(float));
    }
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t count = ids.size();
    if (!(out.rows == count && out.cols == table.cols)) return Status{Code::shape_mismatch};

    std::size_t bad = count;
    for (std::size_t i = count; i-- > 0;)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows) bad = i;
    if (bad != count) return Status::id_out_of_range(bad, ids[bad], table.rows);
    if (count == 0 || table.cols == 0) return {};

    std::vector<std::size_t> order;
    try {
        order.resize(count);
    } catch (const std::exception&) { // without memory the plain way does
        for (std::size_t i = 0; i < count; ++i)
            copy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), table.cols);
        return {};
    }
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [ids](std::size_t a, std::size_t b) {
        return ids[a] != ids[b] ? ids[a] < ids[b] : a < b;
    });
    for (std::size_t k = 0; k < count; ++k) {
        const std::size_t i = order[k];
        const float* from = k > 0 && ids[order[k - 1]] == ids[i]
                                ? out.row(order[k - 1])
                                : table.row(static_cast<std::size_t>(ids[i]));
        copy(out.row(i), from, table.cols);
    }
    return {};
}

} // namespace exercise
