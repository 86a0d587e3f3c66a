// wrong: checks ids in groups of eight and, where T >= 8, never checks the last T mod 8, so a bad id there is followed out of the table; a right one checks them all
#include "contract.h"

#include <cstdint>
#include <cstring>

namespace exercise {

namespace {

bool outside(TokenId id, std::size_t vocabulary) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(id)) >= vocabulary;
}

/// The index of the first bad id, ids.size() if there is none.
std::size_t first_bad(Ids ids, std::size_t vocabulary) {
    std::size_t i = 0;
    while (ids.size() - i >= 8) {
        unsigned any = 0;
        for (std::size_t k = 0; k < 8; ++k) any |= outside(ids[i + k], vocabulary);
        if (any != 0)
            for (std::size_t k = 0; k < 8; ++k)
                if (outside(ids[i + k], vocabulary)) return i + k;
        i += 8;
        if (ids.size() - i < 8) return ids.size();
    }
    for (; i < ids.size(); ++i)
        if (outside(ids[i], vocabulary)) return i;
    return ids.size();
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const std::size_t bad = first_bad(ids, table.rows);
    if (bad != ids.size()) return Status::id_out_of_range(bad, ids[bad], table.rows);
    if (table.cols == 0) return Status{};
    for (std::size_t i = 0; i < ids.size(); ++i)
        std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), table.cols * sizeof(float));
    return Status{};
}

} // namespace exercise
