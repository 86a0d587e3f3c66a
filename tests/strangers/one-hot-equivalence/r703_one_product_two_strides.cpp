// right: both products are one function that reads the left factor with exchanged strides; all loops run from the end to the beginning; gather goes column by column over bit patterns
#include "contract.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace exercise {

namespace {

/// Reads a matrix as it lies, or with rows and columns exchanged.
struct Reading {
    const float* data;
    std::size_t down, across;
    float at(std::size_t i, std::size_t j) const { return data[i * down + j * across]; }
};

/// out = left * right with `terms` products an element, the last product first.
void multiply(Reading left, Matrix<const float> right, std::size_t terms, Matrix<float> out) {
    if (out.rows == 0 || out.cols == 0) return;
    constexpr std::size_t width = 64;
    double sum[width];
    for (std::size_t c0 = 0; c0 < out.cols; c0 += width) {
        const std::size_t here = out.cols - c0 < width ? out.cols - c0 : width;
        for (std::size_t i = out.rows; i-- > 0;) {
            for (double& s : sum)
                s = 0;
            for (std::size_t k = terms; k-- > 0;) {
                const double factor = left.at(i, k);
                const float* const row = right.row(k) + c0;
                for (std::size_t c = 0; c < here; ++c)
                    sum[c] += factor * static_cast<double>(row[c]);
            }
            for (std::size_t c = here; c-- > 0;)
                out(i, c0 + c) = static_cast<float>(sum[c]);
        }
    }
}

/// From the end to the beginning: the last bad id that is met is the first one.
bool in_range(Ids ids, std::size_t V, Status& status) {
    std::size_t bad = ids.size();
    for (std::size_t n = ids.size(); n-- > 0;) {
        const std::int64_t id = ids[n];
        if (id < 0 || static_cast<std::uint64_t>(id) >= static_cast<std::uint64_t>(V)) bad = n;
    }
    if (bad == ids.size()) return true;
    status = Status::id_out_of_range(bad, ids[bad], V);
    return false;
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    Status status{};
    if (ids.size() != onehot.rows) {
        status.code = Code::shape_mismatch;
    } else if (in_range(ids, onehot.cols, status)) {
        for (std::size_t n = ids.size(); n-- > 0;) {
            std::memset(onehot.row(n), 0, onehot.cols * sizeof(float)); // 0 is four bytes of 0
            onehot(n, static_cast<std::size_t>(ids[n])) = 1;
        }
    }
    return status;
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.rows == out.rows && onehot.cols == table.rows && table.cols == out.cols) {
        multiply({onehot.data, onehot.stride, 1}, table, table.rows, out);
        return {};
    }
    return {Code::shape_mismatch, 0, 0, 0};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    Status status{};
    if (ids.size() != out.rows || table.cols != out.cols) {
        status.code = Code::shape_mismatch;
    } else if (in_range(ids, table.rows, status) && !ids.empty()) {
        for (std::size_t c = out.cols; c-- > 0;)
            for (std::size_t n = ids.size(); n-- > 0;) {
                std::uint32_t bits = 0;
                std::memcpy(&bits, table.row(static_cast<std::size_t>(ids[n])) + c, sizeof bits);
                std::memcpy(out.row(n) + c, &bits, sizeof bits);
            }
    }
    return status;
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows == dout.rows && onehot.cols == dtable.rows && dout.cols == dtable.cols) {
        multiply({onehot.data, 1, onehot.stride}, dout, dout.rows, dtable);
        return {};
    }
    return {Code::shape_mismatch, 0, 0, 0};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    Status status{};
    if (ids.size() != dout.rows || dout.cols != dtable.cols) {
        status.code = Code::shape_mismatch;
    } else if (in_range(ids, dtable.rows, status) && dout.cols > 0) {
        for (std::size_t n = ids.size(); n-- > 0;) {
            const float* from = dout.row(n);
            float* to = dtable.row(static_cast<std::size_t>(ids[n]));
            for (const float* const end = from + dout.cols; from != end; ++from, ++to)
                *to = *from + *to;
        }
    }
    return status;
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    const std::uint64_t selector = N * V, table = V * d, result = N * d;
    return {selector * d << 1U, selector << 2U, (selector + table + result) << 2U};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {.flops = 0, .selector_bytes = N << 2U, .bytes = (N + N * d + N * d) << 2U};
}

} // namespace exercise
