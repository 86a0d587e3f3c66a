// wrong: remembers the last ids found good (address, length, V, first and last id) and does not check them again: a bad id put into the middle of the same buffer between two calls is not refused, and reads outside the table.
#include "contract.h"

#include <cstddef>
#include <cstring>

namespace exercise {
namespace {

struct Checked {
    const TokenId* data = nullptr;
    std::size_t size = 0;
    std::size_t vocabulary = 0;
    TokenId first = 0;
    TokenId last = 0;

    bool operator==(const Checked&) const = default;
};

Checked last_good;

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t count = ids.size();
    if (out.rows != count || out.cols != table.cols) return Status{Code::shape_mismatch};
    if (count == 0) return {};

    const Checked now{ids.data(), count, table.rows, ids.front(), ids.back()};
    if (!(now == last_good)) {
        for (std::size_t i = 0; i < count; ++i)
            if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
                return Status::id_out_of_range(i, ids[i], table.rows);
        last_good = now;
    }
    if (table.cols == 0) return {};
    for (std::size_t i = 0; i < count; ++i)
        std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), table.cols * sizeof(float));
    return {};
}

} // namespace exercise
