// wrong: with T * C of 2^16 or more the second half of the rows is written by a detached thread, possibly after the call has returned
#include "contract.h"
#include <cstring>
#include <thread>
namespace exercise {
static void copy_rows(Matrix<const float> table, Ids ids, Matrix<float> out, std::size_t a, std::size_t b) {
    if (!table.cols) return;
    for (; a < b; ++a) std::memcpy(out.row(a), table.row(ids[a]), table.cols * sizeof(float));
}
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || (std::size_t)ids[i] >= table.rows) return Status::id_out_of_range(i, ids[i], table.rows);
    std::size_t mid = ids.size();
    if (out.rows * out.cols >= (1u << 16)) {
        mid /= 2;
        std::thread(copy_rows, table, ids, out, mid, ids.size()).detach();
    }
    copy_rows(table, ids, out, 0, mid);
    return Status{};
}
} // namespace exercise
