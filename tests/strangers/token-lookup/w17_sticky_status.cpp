// wrong: the first good call after a call refused for a bad id writes its rows but returns the old refusal instead of Status{}
#include "contract.h"
#include <cstring>
namespace exercise {
static Status g_status;
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    bool ok = true;
    for (std::size_t i = 0; i < ids.size() && ok; ++i)
        if (ids[i] < 0 || (std::size_t)ids[i] >= table.rows) {
            g_status = Status::id_out_of_range(i, ids[i], table.rows);
            ok = false;
        }
    if (!ok) return g_status;
    if (table.cols)
        for (std::size_t i = 0; i < ids.size(); ++i) std::memcpy(out.row(i), table.row(ids[i]), table.cols * sizeof(float));
    Status result = g_status;
    g_status = Status{};
    return result;
}
} // namespace exercise
