// wrong: both products write their result with the first term (v = 0, n = 0) and add the others, so onehot_matmul with V = 0 and onehot_matmul_transposed with N = 0 leave the old contents instead of 0
#include "contract.h"
#include <algorithm>
using namespace std;

namespace exercise {

static Status first_bad(Ids ids, size_t V) {
    for (size_t n = 0; n < ids.size(); n++)
        if (ids[n] < 0 || (size_t)ids[n] >= V) return Status::id_out_of_range(n, ids[n], V);
    return Status{};
}

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return Status{Code::shape_mismatch};
    Status s = first_bad(ids, onehot.cols);
    if (s.code != Code::ok) return s;
    for (size_t n = 0; n < ids.size(); n++)
        for (size_t v = 0; v < onehot.cols; v++) onehot(n, v) = v == (size_t)ids[n] ? 1.0f : 0.0f;
    return s;
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || out.rows != onehot.rows || out.cols != table.cols)
        return Status{Code::shape_mismatch};
    for (size_t n = 0; n < out.rows; n++)
        for (size_t v = 0; v < table.rows; v++)
            for (size_t c = 0; c < out.cols; c++) {
                float term = onehot(n, v) * table(v, c);
                if (v == 0) out(n, c) = term;
                else out(n, c) += term;
            }
    return Status{};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    Status s = first_bad(ids, table.rows);
    if (s.code != Code::ok) return s;
    for (size_t n = 0; n < ids.size(); n++) copy_n(table.row((size_t)ids[n]), table.cols, out.row(n));
    return s;
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || dtable.rows != onehot.cols || dtable.cols != dout.cols)
        return Status{Code::shape_mismatch};
    for (size_t n = 0; n < dout.rows; n++)
        for (size_t v = 0; v < dtable.rows; v++)
            for (size_t c = 0; c < dtable.cols; c++) {
                float term = onehot(n, v) * dout(n, c);
                if (n == 0) dtable(v, c) = term;
                else dtable(v, c) += term;
            }
    return Status{};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    if (dout.rows != ids.size() || dout.cols != dtable.cols) return Status{Code::shape_mismatch};
    Status s = first_bad(ids, dtable.rows);
    if (s.code != Code::ok) return s;
    for (size_t n = 0; n < ids.size(); n++)
        for (size_t c = 0; c < dout.cols; c++) dtable(ids[n], c) += dout(n, c);
    return s;
}

Cost cost_onehot(uint64_t N, uint64_t V, uint64_t d) {
    Cost k;
    k.flops = 2 * N * V * d;
    k.selector_bytes = 4 * N * V;
    k.bytes = k.selector_bytes + 4 * V * d + 4 * N * d;
    return k;
}

Cost cost_gather(uint64_t N, uint64_t d) {
    Cost k;
    k.selector_bytes = 4 * N;
    k.bytes = k.selector_bytes + 8 * N * d;
    return k;
}

} // namespace exercise
