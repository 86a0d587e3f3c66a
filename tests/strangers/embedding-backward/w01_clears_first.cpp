// wrong: rows of dwte that some token names lose what they held before: the first occurrence assigns instead of adding
#include "contract.h"
#include <string.h>
#include <stdlib.h>

namespace exercise {

static void axpy(float* y, const float* x, float a, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        y[i] += a * x[i];
        y[i + 1] += a * x[i + 1];
        y[i + 2] += a * x[i + 2];
        y[i + 3] += a * x[i + 3];
    }
    for (; i < n; i++) y[i] += a * x[i];
}

static size_t seen_before(Ids2D ids, size_t b, size_t t) {
    for (size_t i = 0; i < b * ids.cols + t; i++)
        if (ids(i / ids.cols, i % ids.cols) == ids(b, t)) return 1;
    return 0;
}

static int bad(TokenId id, size_t V) { return id < 0 || (size_t)id >= V; }

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& o) {
    size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows, b, t;
    Status st;
    if (dout.batch != B || dout.time != T || dout.channels != C || dwpe.cols != C) {
        st.code = Code::shape_mismatch;
        return st;
    }
    if (o.padding_idx >= (int64_t)V) {
        st.code = Code::invalid_argument;
        st.value = o.padding_idx;
        st.limit = (int64_t)V;
        return st;
    }
    if (o.start > P) return Status::position_out_of_range(0, (int64_t)o.start, P);
    if (T > P - o.start) return Status::position_out_of_range(P - o.start, (int64_t)P, P);
    for (b = 0; b < B; b++)
        for (t = 0; t < T; t++)
            if (bad(ids.data[b * ids.stride + t], V))
                return Status::id_out_of_range(b * T + t, ids.data[b * ids.stride + t], V);
    if (!C) return st;
    for (t = 0; t < T; t++)
        for (b = 0; b < B; b++)
            axpy(dwpe.data + (o.start + t) * dwpe.stride, dout.data + (b * T + t) * C, 1.0f, C);
    for (b = 0; b < B; b++)
        for (t = 0; t < T; t++) {
            TokenId id = ids.data[b * ids.stride + t];
            if (o.padding_idx == id) continue;
            if (!seen_before(ids, b, t)) memset(dwte.data + (size_t)id * dwte.stride, 0, C * sizeof(float));
            axpy(dwte.data + (size_t)id * dwte.stride, dout.data + (b * T + t) * C, o.scale, C);
        }
    return st;
}

} // namespace exercise
