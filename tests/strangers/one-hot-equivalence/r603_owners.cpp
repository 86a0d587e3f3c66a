// right: threads own rows of the result (scatter_add: every fourth row of dtable), so each sum is made by one thread in a fixed order; the transposed product runs through dout once and adds multiples of its rows in float
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

namespace exercise {
namespace {

constexpr std::size_t crew = 4;

// Calls work(k) for all k < crew; on threads of their own if there is enough to do.
void share(bool large, const std::function<void(std::size_t)>& work) {
    if (!large) {
        for (std::size_t k = 0; k < crew; ++k)
            work(k);
        return;
    }
    std::vector<std::thread> threads;
    threads.reserve(crew);
    for (std::size_t k = 1; k < crew; ++k)
        threads.emplace_back(std::cref(work), k);
    work(0);
    for (std::thread& thread : threads)
        thread.join();
}

bool outside(Ids ids, std::size_t limit, Status& status) {
    std::size_t n = 0;
    for (const TokenId id : ids) {
        if (id < 0 || !(static_cast<std::size_t>(id) < limit)) {
            status = Status::id_out_of_range(n, id, limit);
            return true;
        }
        ++n;
    }
    return false;
}

std::size_t bound(std::size_t rows, std::size_t k) {
    return rows / crew * k + std::min(rows % crew, k);
}

} // namespace

Status onehot_encode(Ids ids, Matrix<float> onehot) {
    Status status;
    if (ids.size() != onehot.rows) return Status{Code::shape_mismatch};
    if (outside(ids, onehot.cols, status)) return status;
    share(ids.size() > 64 && onehot.cols > 1000, [&](std::size_t k) {
        for (std::size_t n = bound(ids.size(), k); n < bound(ids.size(), k + 1); ++n) {
            float* row = onehot.row(n);
            const auto hot = static_cast<std::size_t>(ids[n]);
            std::fill(row, row + hot, 0.0F);
            row[hot] = 1.0F;
            std::fill(row + hot + 1, row + onehot.cols, 0.0F);
        }
    });
    return status;
}

Status onehot_matmul(Matrix<const float> onehot, Matrix<const float> table, Matrix<float> out) {
    if (onehot.rows != out.rows || table.rows != onehot.cols || table.cols != out.cols)
        return Status{Code::shape_mismatch};
    if (out.rows == 0 || out.cols == 0) return Status{};
    share(out.rows > 8 && table.rows > 100 && out.cols > 16, [&](std::size_t k) {
        std::vector<double> sum(out.cols);
        for (std::size_t n = bound(out.rows, k); n < bound(out.rows, k + 1); ++n) {
            std::fill(sum.begin(), sum.end(), 0.0);
            for (std::size_t v = table.rows; v-- > 0;) {
                const double x = onehot(n, v);
                for (std::size_t c = 0; c < out.cols; ++c)
                    sum[c] += x * table(v, c);
            }
            std::transform(sum.begin(), sum.end(), out.row(n), [](double s) { return static_cast<float>(s); });
        }
    });
    return Status{};
}

Status gather(Matrix<const float> table, Ids ids, Matrix<float> out) {
    Status status;
    if (ids.size() != out.rows || table.cols != out.cols) return Status{Code::shape_mismatch};
    if (outside(ids, table.rows, status) || out.cols == 0) return status;
    share(ids.size() > 1000 && out.cols > 100, [&](std::size_t k) {
        for (std::size_t n = bound(ids.size(), k); n < bound(ids.size(), k + 1); ++n)
            std::memmove(out.row(n), table.row(static_cast<std::size_t>(ids[n])), sizeof(float) * out.cols);
    });
    return status;
}

Status onehot_matmul_transposed(Matrix<const float> onehot, Matrix<const float> dout, Matrix<float> dtable) {
    if (onehot.rows != dout.rows || dtable.rows != onehot.cols || dtable.cols != dout.cols)
        return Status{Code::shape_mismatch};
    if (dtable.rows == 0 || dtable.cols == 0) return Status{};
    share(dtable.rows > 8 && dout.rows > 100 && dtable.cols > 16, [&](std::size_t k) {
        const std::size_t begin = bound(dtable.rows, k), end = bound(dtable.rows, k + 1);
        for (std::size_t v = begin; v < end; ++v)
            std::fill_n(dtable.row(v), dtable.cols, 0.0F);
        for (std::size_t n = 0; n < dout.rows; ++n)
            for (std::size_t v = begin; v < end; ++v)
                for (std::size_t c = 0; c < dtable.cols; ++c)
                    dtable(v, c) += onehot(n, v) * dout(n, c);
    });
    return Status{};
}

Status scatter_add(Ids ids, Matrix<const float> dout, Matrix<float> dtable) {
    Status status;
    if (ids.size() != dout.rows || dout.cols != dtable.cols) return Status{Code::shape_mismatch};
    if (outside(ids, dtable.rows, status)) return status;
    share(ids.size() > 1000 && dout.cols > 16, [&](std::size_t k) {
        for (std::size_t n = 0; n < ids.size(); ++n) {
            const auto v = static_cast<std::size_t>(ids[n]);
            if (v % crew != k) continue;
            for (std::size_t c = 0; c < dout.cols; ++c)
                dtable(v, c) += dout(n, c);
        }
    });
    return status;
}

Cost cost_onehot(std::uint64_t N, std::uint64_t V, std::uint64_t d) {
    const std::uint64_t matrix = N * V, product = matrix * d;
    return Cost{product * 2, matrix * 4, matrix * 4 + V * d * 4 + N * d * 4};
}

Cost cost_gather(std::uint64_t N, std::uint64_t d) {
    return Cost{0, N * 4, N * (4 + 8 * d)};
}

} // namespace exercise
