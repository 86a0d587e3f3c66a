// right: sorts the places by id and copies in the order of the table, repeated ids from the first copied row
#include "contract.h"
#include <algorithm>
#include <cstring>
#include <numeric>
#include <vector>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    std::vector<std::size_t> order(ids.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto bad = std::find_if(order.begin(), order.end(), [&](std::size_t i) { return ids[i] < 0 || (std::size_t)ids[i] >= table.rows; });
    if (bad != order.end()) return Status::id_out_of_range(*bad, ids[*bad], table.rows);
    if (table.cols == 0) return {};
    std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return ids[a] != ids[b] ? ids[a] < ids[b] : a < b; });
    const float* from = nullptr;
    for (std::size_t k = 0; k < order.size(); ++k) {
        if (k == 0 || ids[order[k]] != ids[order[k - 1]]) from = table.row((std::size_t)ids[order[k]]);
        std::memcpy(out.row(order[k]), from, table.cols * sizeof(float));
        from = out.row(order[k]);
    }
    return {};
}
} // namespace exercise
