// Fault: scatter_add shares columns among threads in multiples of 16 and drops the rest.
// Origin: round 13
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <thread>
#include <vector>

namespace exercise {

namespace {

Status check_ids(Ids ids, std::size_t vocabulary) {
    for (std::size_t n = 0; n < ids.size(); ++n)
        if (ids[n] < 0 || static_cast<std::uint64_t>(ids[n]) >= vocabulary)
            return Status::id_out_of_range(n, ids[n], vocabulary);
    return {};
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    if (onehot.rows != ids.size()) return {Code::shape_mismatch};
    if (const Status status = check_ids(ids, onehot.cols); status.code != Code::ok) return status;
    for (std::size_t n = 0; n < ids.size(); ++n) {
        std::fill_n(onehot.row(n), onehot.cols, 0.0f);
        onehot(n, static_cast<std::size_t>(ids[n])) = 1;
    }
    return {};
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.cols != table.rows || out.rows != onehot.rows || out.cols != table.cols)
        return {Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return {};
    std::vector<double> sum(out.cols);
    for (std::size_t n = 0; n < out.rows; ++n) {
        std::fill(sum.begin(), sum.end(), 0.0);
        for (std::size_t v = 0; v < table.rows; ++v) {
            const double factor = onehot(n, v);
            const float* row = table.row(v);
            for (std::size_t c = 0; c < sum.size(); ++c)
                sum[c] += factor * row[c];
        }
        for (std::size_t c = 0; c < sum.size(); ++c)
            out(n, c) = static_cast<float>(sum[c]);
    }
    return {};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    if (const Status status = check_ids(ids, table.rows); status.code != Code::ok) return status;
    if (out.cols == 0) return {};
    for (std::size_t n = 0; n < ids.size(); ++n)
        std::memcpy(out.row(n), table.row(static_cast<std::size_t>(ids[n])), out.cols * sizeof(float));
    return {};
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || dtable.rows != onehot.cols || dtable.cols != dout.cols)
        return {Code::shape_mismatch};
    if (dtable.rows == 0 || dtable.cols == 0) return {};
    std::vector<double> sum(dtable.cols);
    for (std::size_t v = 0; v < dtable.rows; ++v) {
        std::fill(sum.begin(), sum.end(), 0.0);
        for (std::size_t n = 0; n < dout.rows; ++n) {
            const double factor = onehot(n, v);
            const float* row = dout.row(n);
            for (std::size_t c = 0; c < sum.size(); ++c)
                sum[c] += factor * row[c];
        }
        for (std::size_t c = 0; c < sum.size(); ++c)
            dtable(v, c) = static_cast<float>(sum[c]);
    }
    return {};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    const std::size_t N = ids.size(), C = dtable.cols;
    if (dout.rows != N || dout.cols != C) return {Code::shape_mismatch};
    if (const Status status = check_ids(ids, dtable.rows); status.code != Code::ok) return status;
    if (N == 0 || C == 0) return {};

    // Columns are independent, so threads never meet, and the order of a sum is that of the ids.
    const auto columns = [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = 0; n < N; ++n) {
            const float* from = dout.row(n);
            float* to = dtable.row(static_cast<std::size_t>(ids[n]));
            for (std::size_t c = begin; c < end; ++c)
                to[c] += from[c];
        }
    };
    const std::size_t workers = C >= 64 && N >= 256 ? 4 : 1;
    const std::size_t share = C / workers / 16 * 16; // whole cache lines for each thread
    if (workers == 1) {
        columns(0, C);
        return {};
    }
    std::vector<std::thread> threads;
    for (std::size_t w = 0; w < workers; ++w)
        threads.emplace_back(columns, w * share, (w + 1) * share);
    for (std::thread& thread : threads)
        thread.join();
    return {};
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    return {2 * N * V * d, 4 * N * V, 4 * (N * V + V * d + N * d)};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return {0, 4 * N, 4 * N + 8 * N * d};
}

} // namespace exercise
