// right: ids that follow each other by +1 are copied as one block where both matrices are free of padding (stride == C); all else row by row
#include "contract.h"

#include <algorithm>
#include <cstring>

namespace exercise {
namespace {

bool belongs(TokenId id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary;
}

/// How many ids from `first` on count up by one.
std::size_t run_length(Ids ids, std::size_t first) {
    std::size_t next = first + 1;
    while (next < ids.size() &&
           static_cast<std::int64_t>(ids[next]) == static_cast<std::int64_t>(ids[next - 1]) + 1)
        ++next;
    return next - first;
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size()) return Status{Code::shape_mismatch};
    if (out.cols != table.cols) return Status{Code::shape_mismatch};

    const auto bad =
        std::find_if(ids.begin(), ids.end(), [&](TokenId id) { return !belongs(id, table.rows); });
    if (bad != ids.end())
        return Status::id_out_of_range(static_cast<std::size_t>(bad - ids.begin()), *bad, table.rows);
    if (out.cols == 0) return {};

    const bool dense = table.stride == table.cols && out.stride == out.cols;
    for (std::size_t i = 0; i < ids.size();) {
        const std::size_t rows = dense ? run_length(ids, i) : 1;
        const float* from = table.data + static_cast<std::size_t>(ids[i]) * table.stride;
        std::memcpy(out.data + i * out.stride, from, rows * out.cols * sizeof *from);
        i += rows;
    }
    return {};
}

} // namespace exercise
