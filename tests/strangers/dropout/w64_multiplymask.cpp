// wrong: a dropped value is x * 0 instead of +0: dropped negative numbers become -0, dropped infinities and NaN become NaN in forward, backward and embed
#include "contract.h"
#include <cmath>
#include <vector>
using namespace std;

namespace exercise {

bool survives(Dropout dropout, uint64_t element) {
    if (!dropout.train) return true;
    uint64_t index = dropout.offset + element;
    uint64_t z = dropout.seed + (index + 1) * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    double u = (double((z ^ (z >> 31)) >> 12) + 0.5) * pow(2.0, -52);
    return u >= dropout.p;
}

static float mask(Dropout d, uint64_t e) {
    if (!survives(d, e)) return 0.0f;
    if (!d.train) return 1.0f;
    return 1.0f / (1.0f - d.p);
}

Status forward(Matrix<const float> x, Dropout dropout, Matrix<float> out) {
    if (x.rows != out.rows || x.cols != out.cols) return Status{Code::shape_mismatch};
    if (isnan(dropout.p) || dropout.p < 0 || dropout.p > 1) return Status{Code::invalid_argument};
    for (size_t r = 0; r < x.rows; r++)
        for (size_t c = 0; c < x.cols; c++) out(r, c) = x(r, c) * mask(dropout, r * x.cols + c);
    return Status{};
}

Status backward(Matrix<const float> dout, Dropout dropout, Matrix<float> dx) {
    return forward(dout, dropout, dx);
}

Status embed(Tensor3<const float> tokens, Matrix<const float> positions, bool normalise, Dropout dropout,
             Tensor3<float> out) {
    size_t B = tokens.batch, T = tokens.time, C = tokens.channels;
    if (positions.rows != T || positions.cols != C) return Status{Code::shape_mismatch};
    if (out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (isnan(dropout.p) || dropout.p < 0 || dropout.p > 1) return Status{Code::invalid_argument};
    size_t e = 0;
    vector<double> row(C);
    for (size_t b = 0; b < B; b++)
        for (size_t t = 0; t < T; t++) {
            for (size_t c = 0; c < C; c++) row[c] = tokens(b, t, c) + positions(t, c);
            if (normalise) {
                double mean = 0, var = 0;
                for (double v : row) mean += v;
                mean /= double(C);
                for (double v : row) var += (v - mean) * (v - mean);
                var /= double(C);
                for (double& v : row) v = (v - mean) / sqrt(var + 1e-5);
            }
            for (size_t c = 0; c < C; c++) out(b, t, c) = float(row[c]) * mask(dropout, e++);
        }
    return Status{};
}

} // namespace exercise
