// mistake: remembers-rows
// says: You kept rows of an earlier call and returned them again: the second call got the first table's
//   values.
// hint: A static variable outlives the call. Between two calls the table may be another, or have been trained
//   on.
// symptom: Training has no effect on tokens that were seen before.
// fails: equal ids give equal rows; random shapes agree with the reference;
//   rows of any width are copied whole; a second call does not remember the first
#include "contract.h"

#include <algorithm>
#include <map>
#include <vector>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    static std::map<TokenId, std::vector<float>> seen;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float* row = table.row(static_cast<std::size_t>(ids[i]));
        auto& known = seen.try_emplace(ids[i], row, row + table.cols).first->second;
        known.resize(table.cols);
        std::copy(known.begin(), known.end(), out.row(i));
    }
    return {};
}

} // namespace exercise
