// wrong: packs the checked ids into 16 bits (GPT-2 has 50,257 tokens), so in a table of more than 65,536 rows id 65,536 + k copies row k; ids are 32 bits, and a right one copies row ids[i].
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace exercise {
namespace {

using Packed = std::uint16_t;

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};

    std::vector<Packed> rows;
    rows.reserve(ids.size());
    for (const TokenId id : ids) {
        if (id < 0 || static_cast<std::size_t>(id) >= table.rows)
            return Status::id_out_of_range(rows.size(), id, table.rows);
        rows.push_back(static_cast<Packed>(id));
    }
    if (table.cols == 0) return {};

    std::size_t i = 0;
    for (const Packed row : rows)
        std::copy_n(table.row(row), table.cols, out.row(i++));
    return {};
}

} // namespace exercise
