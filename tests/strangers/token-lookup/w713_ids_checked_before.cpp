// wrong: remembers address, length and V of the ids that it last found good, and does not check them again; shows when the caller puts a bad id into the same memory and calls again; a right one checks in every call
#include "contract.h"

#include <cstring>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    static const TokenId* good_ids = nullptr;
    static std::size_t good_count = 0;
    static std::size_t good_vocabulary = 0;

    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const bool known = ids.data() == good_ids && ids.size() == good_count && table.rows == good_vocabulary;
    if (!known) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
                return Status::id_out_of_range(i, ids[i], table.rows);
        good_ids = ids.data();
        good_count = ids.size();
        good_vocabulary = table.rows;
    }
    if (table.cols == 0) return Status{};
    for (std::size_t i = 0; i < ids.size(); ++i)
        std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), table.cols * sizeof(float));
    return Status{};
}

} // namespace exercise
