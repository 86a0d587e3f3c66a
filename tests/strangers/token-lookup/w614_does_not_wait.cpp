// wrong: from 65,536 values on, a detached thread copies the second half of the rows, and the call returns without waiting for it: rows may be missing, and the views are read and written after the call; a right one is done when it returns
#include "contract.h"

#include <cstring>
#include <thread>

namespace exercise {
namespace {

void copy_rows(Matrix<const float> table, Ids ids, Matrix<float> out, std::size_t first, std::size_t last) {
    if (table.cols == 0) return;
    for (std::size_t i = first; i < last; ++i)
        std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), table.cols * sizeof(float));
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    std::size_t mine = ids.size();
    if (ids.size() * table.cols >= 65536) {
        mine = ids.size() / 2;
        std::thread(copy_rows, table, ids, out, mine, ids.size()).detach();
    }
    copy_rows(table, ids, out, 0, mine);
    return {};
}

} // namespace exercise
