// wrong: remembers address, number and V of the ids it found good last and does not check them again, so a bad id that the caller has put at the same address since is not refused (and read beyond the table); a right one checks the ids of every call
#include "contract.h"

#include <cstring>

namespace exercise {
namespace {

struct Checked {
    const TokenId* data = nullptr;
    std::size_t count = 0;
    std::size_t vocabulary = 0;

    bool operator==(const Checked&) const = default;
};

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};

    static Checked last; // a batch is usually looked up several times
    const Checked now{ids.data(), ids.size(), table.rows};
    if (!(now == last)) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
                return Status::id_out_of_range(i, ids[i], table.rows);
        last = now;
    }
    if (table.cols == 0) return {};
    for (std::size_t i = 0; i < ids.size(); ++i)
        std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), table.cols * sizeof(float));
    return {};
}

} // namespace exercise
