// Fault: If no position counts, dlogits is cleared with the padding between its rows.
// Origin: round 27, second part
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <thread>
#include <vector>

namespace exercise {
namespace {

constexpr std::size_t block = 16;

// Calls work(begin, end) for parts of [0, count), on several threads where there is enough to do.
template <class Work>
void parallel(std::size_t count, double operations_each, const Work& work) {
    const double wanted = static_cast<double>(count) * operations_each / 1e6;
    std::size_t threads = wanted < 2 ? 1 : wanted > 12 ? 12 : static_cast<std::size_t>(wanted);
    threads = std::min(threads, count);
    if (threads <= 1) {
        if (count > 0) work(std::size_t{0}, count);
        return;
    }
    std::vector<std::thread> pool;
    pool.reserve(threads - 1);
    const std::size_t each = count / threads;
    const std::size_t more = count % threads;
    std::size_t begin = 0;
    for (std::size_t t = 0; t < threads; ++t) {
        const std::size_t end = begin + each + (t < more ? 1 : 0);
        if (t + 1 < threads) {
            pool.emplace_back([&work, begin, end] { work(begin, end); });
        } else {
            work(begin, end);
        }
        begin = end;
    }
    for (std::thread& thread : pool) thread.join();
}

double dot(const float* x, const float* y, std::size_t count) {
    double lanes[8] = {};
    std::size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        for (std::size_t j = 0; j < 8; ++j) {
            lanes[j] += static_cast<double>(x[i + j]) * static_cast<double>(y[i + j]);
        }
    }
    double sum = ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3])) + ((lanes[4] + lanes[5]) + (lanes[6] + lanes[7]));
    for (; i < count; ++i) sum += static_cast<double>(x[i]) * static_cast<double>(y[i]);
    return sum;
}

void add_scaled(double* sum, float factor, const float* x, std::size_t count) {
    const double f = factor;
    for (std::size_t i = 0; i < count; ++i) sum[i] += f * static_cast<double>(x[i]);
}

bool is_token(TokenId id, std::size_t vocabulary) {
    return id >= 0 && static_cast<std::size_t>(id) < vocabulary;
}

Status check_ids(Ids ids, std::size_t vocabulary) {
    for (std::size_t n = 0; n < ids.size(); ++n) {
        if (!is_token(ids[n], vocabulary)) return Status::id_out_of_range(n, ids[n], vocabulary);
    }
    return {};
}

Status too_many(std::size_t vocabulary, std::size_t rows) {
    return Status{Code::invalid_argument, 0, static_cast<std::int64_t>(vocabulary),
                  static_cast<std::int64_t>(rows)};
}

// The positions of every token: those of v are order[start[v]] ... order[start[v + 1] - 1], in order.
struct Positions {
    std::vector<std::size_t> start, order;

    Positions(Ids ids, std::size_t vocabulary) : start(vocabulary + 1, 0), order(ids.size()) {
        for (TokenId id : ids) ++start[static_cast<std::size_t>(id) + 1];
        for (std::size_t v = 0; v < vocabulary; ++v) start[v + 1] += start[v];
        std::vector<std::size_t> next(start.begin(), start.end() - 1);
        for (std::size_t n = 0; n < ids.size(); ++n) order[next[static_cast<std::size_t>(ids[n])]++] = n;
    }
};

} // namespace

Status tied_logits(Matrix<const float> hidden, Matrix<const float> wte, std::size_t vocabulary,
                   Matrix<float> logits) {
    if (hidden.cols != wte.cols || logits.rows != hidden.rows || logits.cols != wte.rows) {
        return Status{Code::shape_mismatch};
    }
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    const std::size_t positions = hidden.rows;
    const std::size_t channels = hidden.cols;
    if (positions == 0 || wte.rows == 0) return {};
    parallel(vocabulary, static_cast<double>(positions) * static_cast<double>(channels),
             [&](std::size_t begin, std::size_t end) {
                 for (std::size_t v = begin; v < end; ++v) {
                     for (std::size_t n = 0; n < positions; ++n) {
                         logits(n, v) = channels == 0 ? 0.0f
                                                      : static_cast<float>(dot(hidden.row(n), wte.row(v), channels));
                     }
                 }
             });
    for (std::size_t n = 0; n < positions; ++n) {
        for (std::size_t v = vocabulary; v < wte.rows; ++v) {
            logits(n, v) = -std::numeric_limits<float>::infinity();
        }
    }
    return {};
}

Status hidden_gradient(Matrix<const float> dlogits, Matrix<const float> wte, std::size_t vocabulary,
                       Matrix<float> dhidden) {
    if (dlogits.cols != wte.rows || dhidden.rows != dlogits.rows || dhidden.cols != wte.cols) {
        return Status{Code::shape_mismatch};
    }
    if (vocabulary > wte.rows) return too_many(vocabulary, wte.rows);
    const std::size_t positions = dlogits.rows;
    const std::size_t channels = wte.cols;
    if (positions == 0 || channels == 0) return {};
    const std::size_t blocks = (positions - 1) / block + 1;
    parallel(blocks, static_cast<double>(block) * static_cast<double>(vocabulary) * static_cast<double>(channels),
             [&](std::size_t begin, std::size_t end) {
                 std::vector<double> sums(std::min(block, positions) * channels);
                 for (std::size_t b = begin; b < end; ++b) {
                     const std::size_t first = b * block;
                     const std::size_t count = std::min(block, positions - first);
                     std::fill(sums.begin(), sums.end(), 0.0);
                     for (std::size_t v = 0; v < vocabulary; ++v) {
                         for (std::size_t i = 0; i < count; ++i) {
                             add_scaled(sums.data() + i * channels, dlogits(first + i, v), wte.row(v), channels);
                         }
                     }
                     for (std::size_t i = 0; i < count; ++i) {
                         for (std::size_t c = 0; c < channels; ++c) {
                             dhidden(first + i, c) = static_cast<float>(sums[i * channels + c]);
                         }
                     }
                 }
             });
    return {};
}

Status table_gradient(Ids ids, Matrix<const float> dinput, Matrix<const float> hidden,
                      Matrix<const float> dlogits, std::size_t vocabulary, Matrix<float> dwte) {
    const std::size_t positions = ids.size();
    const std::size_t channels = dwte.cols;
    if (dinput.rows != positions || hidden.rows != positions || dlogits.rows != positions ||
        dinput.cols != channels || hidden.cols != channels || dlogits.cols != dwte.rows) {
        return Status{Code::shape_mismatch};
    }
    if (vocabulary > dwte.rows) return too_many(vocabulary, dwte.rows);
    if (const Status status = check_ids(ids, vocabulary); status.code != Code::ok) return status;
    if (positions == 0 || channels == 0) return {};
    const Positions where(ids, vocabulary);
    const std::size_t blocks = (vocabulary - 1) / block + 1;
    parallel(blocks, static_cast<double>(block) * static_cast<double>(positions) * static_cast<double>(channels),
             [&](std::size_t begin, std::size_t end) {
                 std::vector<double> sums(std::min(block, vocabulary) * channels);
                 for (std::size_t b = begin; b < end; ++b) {
                     const std::size_t first = b * block;
                     const std::size_t count = std::min(block, vocabulary - first);
                     std::fill(sums.begin(), sums.end(), 0.0);
                     for (std::size_t n = 0; n < positions; ++n) {
                         for (std::size_t i = 0; i < count; ++i) {
                             add_scaled(sums.data() + i * channels, dlogits(n, first + i), hidden.row(n), channels);
                         }
                     }
                     for (std::size_t i = 0; i < count; ++i) {
                         const std::size_t v = first + i;
                         double* sum = sums.data() + i * channels;
                         for (std::size_t at = where.start[v]; at < where.start[v + 1]; ++at) {
                             add_scaled(sum, 1.0f, dinput.row(where.order[at]), channels);
                         }
                         for (std::size_t c = 0; c < channels; ++c) {
                             dwte(v, c) = static_cast<float>(static_cast<double>(dwte(v, c)) + sum[c]);
                         }
                     }
                 }
             });
    return {};
}

Loss cross_entropy(Matrix<const float> logits, Ids targets, TokenId ignored, Matrix<float> dlogits) {
    const std::size_t positions = targets.size();
    const std::size_t vocabulary = logits.cols;
    if (logits.rows != positions || dlogits.rows != positions || dlogits.cols != vocabulary) {
        return Loss{Status{Code::shape_mismatch}};
    }
    std::size_t counted = 0;
    for (std::size_t n = 0; n < positions; ++n) {
        if (targets[n] == ignored) continue;
        if (!is_token(targets[n], vocabulary)) {
            return Loss{Status::id_out_of_range(n, targets[n], vocabulary)};
        }
        ++counted;
    }
    Loss result;
    result.counted = counted;
    if (counted == 0) {
        // Nothing to learn: all of dlogits is 0.
        if (positions > 0 && vocabulary > 0) {
            std::fill(dlogits.data, dlogits.row(positions - 1) + vocabulary, 0.0f);
        }
        return result;
    }
    const double all = static_cast<double>(counted);
    std::vector<double> losses(positions, 0.0);
    parallel(positions, 40.0 * static_cast<double>(vocabulary), [&](std::size_t begin, std::size_t end) {
        for (std::size_t n = begin; n < end; ++n) {
            if (vocabulary == 0) continue;
            float* gradient = dlogits.row(n);
            if (targets[n] == ignored) {
                std::fill_n(gradient, vocabulary, 0.0f);
                continue;
            }
            const float* x = logits.row(n);
            const std::size_t target = static_cast<std::size_t>(targets[n]);
            float largest = -std::numeric_limits<float>::infinity();
            bool sound = true;
            for (std::size_t v = 0; v < vocabulary; ++v) {
                if (std::isnan(x[v])) sound = false;
                largest = std::max(largest, x[v]);
            }
            if (!sound || std::isinf(largest)) {
                losses[n] = std::numeric_limits<double>::quiet_NaN();
                std::fill_n(gradient, vocabulary, std::numeric_limits<float>::quiet_NaN());
                continue;
            }
            const double m = largest;
            double sum = 0;
            for (std::size_t v = 0; v < vocabulary; ++v) sum += std::exp(static_cast<double>(x[v]) - m);
            losses[n] = std::log(sum) - (static_cast<double>(x[target]) - m);
            for (std::size_t v = 0; v < vocabulary; ++v) {
                const double p = std::exp(static_cast<double>(x[v]) - m) / sum;
                gradient[v] = static_cast<float>((p - (v == target ? 1.0 : 0.0)) / all);
            }
        }
    });
    double sum = 0;
    for (std::size_t n = 0; n < positions; ++n) sum += losses[n];
    result.mean = sum / all;
    return result;
}

Status factor_gather(Matrix<const float> a, Matrix<const float> b, Ids ids, Matrix<float> out) {
    if (a.cols != b.rows || out.rows != ids.size() || out.cols != b.cols) return Status{Code::shape_mismatch};
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    const std::size_t rank = a.cols;
    const std::size_t channels = b.cols;
    if (channels == 0) return {};
    parallel(ids.size(), static_cast<double>(rank) * static_cast<double>(channels),
             [&](std::size_t begin, std::size_t end) {
                 std::vector<double> sum(channels);
                 for (std::size_t n = begin; n < end; ++n) {
                     std::fill(sum.begin(), sum.end(), 0.0);
                     const std::size_t v = static_cast<std::size_t>(ids[n]);
                     for (std::size_t r = 0; r < rank; ++r) add_scaled(sum.data(), a(v, r), b.row(r), channels);
                     for (std::size_t c = 0; c < channels; ++c) out(n, c) = static_cast<float>(sum[c]);
                 }
             });
    return {};
}

Status factor_gradient(Matrix<const float> dout, Matrix<const float> a, Matrix<const float> b, Ids ids,
                       Matrix<float> da, Matrix<float> db) {
    const std::size_t rank = a.cols;
    const std::size_t channels = b.cols;
    const std::size_t positions = ids.size();
    if (b.rows != rank || dout.rows != positions || dout.cols != channels || da.rows != a.rows ||
        da.cols != rank || db.rows != rank || db.cols != channels) {
        return Status{Code::shape_mismatch};
    }
    if (const Status status = check_ids(ids, a.rows); status.code != Code::ok) return status;
    if (positions == 0 || rank == 0 || channels == 0) return {};
    const Positions where(ids, a.rows);
    const double work = static_cast<double>(positions) * static_cast<double>(channels);
    parallel(rank, work, [&](std::size_t begin, std::size_t end) {
        for (std::size_t v = 0; v < a.rows; ++v) {
            if (where.start[v] == where.start[v + 1]) continue;
            for (std::size_t r = begin; r < end; ++r) {
                double sum = da(v, r);
                for (std::size_t at = where.start[v]; at < where.start[v + 1]; ++at) {
                    sum += dot(dout.row(where.order[at]), b.row(r), channels);
                }
                da(v, r) = static_cast<float>(sum);
            }
        }
    });
    parallel(rank, work, [&](std::size_t begin, std::size_t end) {
        std::vector<double> sum(channels);
        for (std::size_t r = begin; r < end; ++r) {
            for (std::size_t c = 0; c < channels; ++c) sum[c] = db(r, c);
            for (std::size_t n = 0; n < positions; ++n) {
                add_scaled(sum.data(), a(static_cast<std::size_t>(ids[n]), r), dout.row(n), channels);
            }
            for (std::size_t c = 0; c < channels; ++c) db(r, c) = static_cast<float>(sum[c]);
        }
    });
    return {};
}

TableCounts count(TableSizes sizes) {
    const std::uint64_t table = sizes.vocabulary * sizes.channels;
    TableCounts counts;
    counts.tied = sizes.others + table;
    counts.untied = counts.tied + table;
    counts.saved_share =
        counts.untied == 0 ? 0.0 : static_cast<double>(table) / static_cast<double>(counts.untied);
    counts.factorised = sizes.rank * (sizes.vocabulary + sizes.channels);
    counts.max_rank = table == 0 ? 0 : (table - 1) / (sizes.vocabulary + sizes.channels);
    return counts;
}

} // namespace exercise
