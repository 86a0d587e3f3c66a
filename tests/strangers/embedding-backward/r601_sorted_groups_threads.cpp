// right: places are sorted by token, groups and positions are dealt to up to four threads, each element summed in double by one owner
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <thread>
#include <vector>

namespace exercise {
namespace {

struct Job {
    Tensor3<const float> dout;
    Ids2D ids;
    Matrix<float> dwte;
    Matrix<float> dwpe;
    BackwardOptions options;
    std::vector<std::size_t> order;  // places (b * T + t), equal tokens side by side
    std::vector<std::size_t> begins; // first index in `order` of each group, and the end
};

TokenId token(const Job& job, std::size_t place) {
    return job.ids(place / job.ids.cols, place % job.ids.cols);
}

void token_group(const Job& job, std::size_t group, std::vector<double>& sum) {
    const std::size_t from = job.begins[group];
    const std::size_t to = job.begins[group + 1];
    const TokenId id = token(job, job.order[from]);
    if (id == job.options.padding_idx) return;
    const std::size_t channels = job.dout.channels;
    std::fill(sum.begin(), sum.end(), 0.0);
    for (std::size_t k = from; k < to; ++k) {
        const float* g = job.dout.data + job.order[k] * channels;
        for (std::size_t c = 0; c < channels; ++c)
            sum[c] += static_cast<double>(g[c]);
    }
    float* row = job.dwte.row(static_cast<std::size_t>(id));
    for (std::size_t c = 0; c < channels; ++c)
        row[c] = static_cast<float>(static_cast<double>(row[c]) + static_cast<double>(job.options.scale) * sum[c]);
}

void position(const Job& job, std::size_t t, std::vector<double>& sum) {
    const std::size_t channels = job.dout.channels;
    std::fill(sum.begin(), sum.end(), 0.0);
    for (std::size_t b = 0; b < job.dout.batch; ++b) {
        const float* g = job.dout.row(b, t);
        for (std::size_t c = 0; c < channels; ++c)
            sum[c] += static_cast<double>(g[c]);
    }
    float* row = job.dwpe.row(job.options.start + t);
    for (std::size_t c = 0; c < channels; ++c)
        row[c] = static_cast<float>(static_cast<double>(row[c]) + sum[c]);
}

void work(const Job& job, std::size_t worker, std::size_t workers) {
    std::vector<double> sum(job.dout.channels);
    for (std::size_t g = worker; g + 1 < job.begins.size(); g += workers)
        token_group(job, g, sum);
    for (std::size_t t = worker; t < job.dout.time; t += workers)
        position(job, t, sum);
}

} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    if (dout.batch != ids.rows || dout.time != ids.cols || dout.channels != dwte.cols ||
        dout.channels != dwpe.cols)
        return {Code::shape_mismatch};
    if (options.padding_idx >= 0 && static_cast<std::size_t>(options.padding_idx) >= dwte.rows)
        return {Code::invalid_argument, 0, options.padding_idx, static_cast<std::int64_t>(dwte.rows)};
    if (options.start > dwpe.rows || ids.cols > dwpe.rows - options.start) {
        const std::size_t p = std::max(options.start, dwpe.rows);
        return Status::position_out_of_range(p - options.start, static_cast<std::int64_t>(p), dwpe.rows);
    }
    if (ids.rows == 0 || ids.cols == 0) return {};
    for (std::size_t b = 0; b < ids.rows; ++b)
        for (std::size_t t = 0; t < ids.cols; ++t)
            if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= dwte.rows)
                return Status::id_out_of_range(b * ids.cols + t, ids(b, t), dwte.rows);
    if (dout.channels == 0) return {};

    Job job{dout, ids, dwte, dwpe, options, {}, {}};
    job.order.resize(ids.rows * ids.cols);
    std::iota(job.order.begin(), job.order.end(), std::size_t{0});
    std::sort(job.order.begin(), job.order.end(), [&](std::size_t a, std::size_t b) {
        const TokenId x = token(job, a), y = token(job, b);
        return x != y ? x < y : a < b;
    });
    for (std::size_t k = 0; k < job.order.size(); ++k)
        if (k == 0 || token(job, job.order[k]) != token(job, job.order[k - 1])) job.begins.push_back(k);
    job.begins.push_back(job.order.size());

    const std::size_t workers = job.order.size() * dout.channels < 65536 ? 1 : 4;
    std::vector<std::thread> threads;
    for (std::size_t w = 1; w < workers; ++w)
        threads.emplace_back([&job, w, workers] { work(job, w, workers); });
    work(job, 0, workers);
    for (std::thread& thread : threads)
        thread.join();
    return {};
}

} // namespace exercise
