// right: threads share the rows in forward and in the first half of backward, and the COLUMNS in its second half, so every sum runs over the rows in one order and the bits do not depend on threads; normal numbers by the inverse of the distribution, one uniform number each
#include "contract.h"

#include <cmath>
#include <exception>
#include <optional>
#include <thread>

namespace exercise {
namespace {

/// work(first, last) for parts of [0, count), on up to four threads.
template <class Work>
void in_parts(std::size_t count, std::size_t cost, const Work& work) {
    const std::size_t parts = count * cost < 200'000 ? 1 : std::min<std::size_t>(4, count);
    std::vector<std::thread> threads;
    std::size_t done = 0;
    try {
        threads.reserve(parts);
        for (std::size_t k = 0; k + 1 < parts; ++k) {
            const std::size_t last = count / parts * (k + 1);
            threads.emplace_back(work, done, last);
            done = last;
        }
    } catch (const std::exception&) {
    }
    work(done, count);
    for (std::thread& thread : threads)
        thread.join();
}

/// The number below which a standard normal one lies with probability q (Acklam's approximation).
double quantile(double q) {
    constexpr double a[] = {-3.969683028665376e+01, 2.209460984245205e+02,  -2.759285104469687e+02,
                            1.383577518672690e+02,  -3.066479806614716e+01, 2.506628277459239e+00};
    constexpr double b[] = {-5.447609879822406e+01, 1.615858368580409e+02, -1.556989798598866e+02,
                            6.680131188771972e+01, -1.328068155288572e+01};
    constexpr double c[] = {-7.784894002430293e-03, -3.223964580411365e-01, -2.400758277161838e+00,
                            -2.549732539343734e+00, 4.374664141464968e+00,  2.938163982698783e+00};
    constexpr double d[] = {7.784695709041462e-03, 3.224671290700398e-01, 2.445134137142996e+00,
                            3.754408661907416e+00};
    if (q > 0.5) return -quantile(1 - q);
    if (q < 0.02425) {
        const double t = std::sqrt(-2 * std::log(q));
        return (((((c[0] * t + c[1]) * t + c[2]) * t + c[3]) * t + c[4]) * t + c[5]) /
               ((((d[0] * t + d[1]) * t + d[2]) * t + d[3]) * t + 1);
    }
    const double s = q - 0.5;
    const double t = s * s;
    return (((((a[0] * t + a[1]) * t + a[2]) * t + a[3]) * t + a[4]) * t + a[5]) * s /
           (((((b[0] * t + b[1]) * t + b[2]) * t + b[3]) * t + b[4]) * t + 1);
}

std::vector<float> normal_table(std::uint64_t key, double deviation, std::size_t count) {
    std::vector<float> values(count);
    in_parts(count, 8, [&](std::size_t first, std::size_t last) {
        for (std::size_t k = first; k < last; ++k)
            values[k] = static_cast<float>(deviation * quantile(uniform(key, k)));
    });
    return values;
}

std::uint64_t hash(std::uint64_t seed, std::uint64_t salt) {
    return random_bits(random_bits(seed, 0) ^ random_bits(salt, 1), salt);
}

struct Tensor {
    TensorInfo info;
    std::vector<float> values;
    std::vector<float> gradients; ///< empty: a buffer
};

enum Slot : std::size_t { wte, wpe, gain, bias, pe, slots };

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed) : cfg_(config), seed_(seed) {
        const std::size_t C = cfg_.d_model;
        put(wte, "wte", cfg_.vocab_size, normal_table(hash(seed, 0x77746501u), 0.02, cfg_.vocab_size * C), true);
        if (cfg_.padding_idx >= 0) {
            const auto row = static_cast<std::size_t>(cfg_.padding_idx);
            for (std::size_t c = 0; c < C; ++c)
                tensor(wte).values[row * C + c] = 0;
        }
        if (cfg_.positions == Positions::learned)
            put(wpe, "wpe", cfg_.max_positions,
                normal_table(hash(seed, 0x77706502u), 0.01, cfg_.max_positions * C), true);
        else
            put(pe, "pe", cfg_.max_positions, sinusoids(), false);
        if (cfg_.layer_norm) {
            put(gain, "gain", 1, std::vector<float>(C, 1.0F), true);
            put(bias, "bias", 1, std::vector<float>(C, 0.0F), true);
        }
    }

    std::vector<TensorInfo> parameters() const override { return infos(wte, pe); }
    std::vector<TensorInfo> buffers() const override { return infos(pe, slots); }

    std::vector<float> state() const override {
        std::vector<float> all;
        for (const auto& one : tensors_)
            if (one) all.insert(all.end(), one->values.begin(), one->values.end());
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t C = cfg_.d_model;
        const std::size_t P = cfg_.max_positions;
        const std::size_t B = ids.rows;
        const std::size_t T = ids.cols;
        if (out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
        if (start > P || T > P - start) {
            const std::size_t p = start > P ? start : P;
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
        }
        std::vector<TokenId> flat(B * T);
        for (std::size_t r = 0; r < flat.size(); ++r)
            flat[r] = ids(r / T, r % T);
        const auto bad = std::find_if(flat.begin(), flat.end(), [&](TokenId id) {
            return id < 0 || static_cast<std::size_t>(id) >= cfg_.vocab_size;
        });
        if (bad != flat.end())
            return Status::id_out_of_range(static_cast<std::size_t>(bad - flat.begin()), *bad, cfg_.vocab_size);

        Record now{B, T, start, std::move(flat), training_, offset_, {}};
        if (cfg_.layer_norm) now.rows.resize(B * T);
        in_parts(B * T, 4 * C, [&](std::size_t first, std::size_t last) {
            std::vector<float> x(C);
            for (std::size_t r = first; r < last; ++r) {
                sum(now, r, x.data());
                if (cfg_.layer_norm) {
                    const Row row = now.rows[r] = measure(x);
                    for (std::size_t c = 0; c < C; ++c)
                        x[c] = static_cast<float>((x[c] - row.mean) / row.root * tensor(gain).values[c] +
                                                  tensor(bias).values[c]);
                }
                float* to = out.data + r * C;
                for (std::size_t c = 0; c < C; ++c)
                    to[c] = static_cast<float>(select(now, r * C + c, x[c]));
            }
        });
        if (training_) offset_ += B * T * C;
        last_ = std::move(now);
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const auto& one : tensors_) {
            if (!one || one->gradients.empty() || name != std::string_view(one->info.name)) continue;
            if (out.rows != one->info.rows || out.cols != one->info.cols) return Status{Code::shape_mismatch};
            auto from = one->gradients.begin();
            for (std::size_t r = 0; r < out.rows; ++r, from += static_cast<std::ptrdiff_t>(out.cols))
                std::copy_n(from, out.cols, out.row(r));
            return {};
        }
        return Status{Code::invalid_argument};
    }

    void zero_gradients() override {
        for (auto& one : tensors_)
            if (one) std::fill(one->gradients.begin(), one->gradients.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        if (!last_) return Status{Code::invalid_argument};
        const Record& call = *last_;
        const std::size_t C = cfg_.d_model;
        if (dout.batch != call.batch || dout.time != call.time || dout.channels != C)
            return Status{Code::shape_mismatch};
        const std::size_t rows = call.ids.size();
        if (rows == 0) return {};

        // By rows: the gradients of y (what passes the mask) and of x.
        std::vector<float> dx(rows * C);
        std::vector<float> n(cfg_.layer_norm ? rows * C : 0);
        std::vector<char> silent(rows, 0); // rows of which everything was dropped
        in_parts(rows, 4 * C, [&](std::size_t first, std::size_t last) {
            std::vector<float> x(C);
            std::vector<double> h(C);
            for (std::size_t r = first; r < last; ++r) {
                silent[r] = 1;
                double mean = 0;
                double along = 0;
                if (cfg_.layer_norm) sum(call, r, x.data());
                for (std::size_t c = 0; c < C; ++c) {
                    const std::size_t e = r * C + c;
                    h[c] = 0;
                    if (cfg_.layer_norm) n[e] = static_cast<float>((x[c] - call.rows[r].mean) / call.rows[r].root);
                    if (!keeps(call, e)) continue;
                    silent[r] = 0;
                    h[c] = select(call, e, dout.data[e]);
                    if (!cfg_.layer_norm) continue;
                    h[c] *= tensor(gain).values[c];
                    mean += h[c];
                    along += h[c] * n[e];
                }
                mean /= static_cast<double>(C);
                along /= static_cast<double>(C);
                for (std::size_t c = 0; c < C; ++c) {
                    if (cfg_.layer_norm) h[c] = (h[c] - mean - n[r * C + c] * along) / call.rows[r].root;
                    dx[r * C + c] = static_cast<float>(h[c]);
                }
            }
        });

        // By columns: the sums, row after row.
        const double factor = cfg_.scale_by_sqrt_d ? std::sqrt(static_cast<double>(C)) : 1.0;
        in_parts(C, 4 * rows, [&](std::size_t first, std::size_t last) {
            for (std::size_t r = 0; r < rows; ++r) {
                if (silent[r]) continue;
                const float* d = dx.data() + r * C;
                if (call.ids[r] != cfg_.padding_idx) {
                    float* to = tensor(wte).gradients.data() + static_cast<std::size_t>(call.ids[r]) * C;
                    for (std::size_t c = first; c < last; ++c)
                        to[c] = static_cast<float>(to[c] + factor * d[c]);
                }
                if (tensors_[wpe]) {
                    float* to = tensor(wpe).gradients.data() + (call.start + r % call.time) * C;
                    for (std::size_t c = first; c < last; ++c)
                        to[c] += d[c];
                }
                if (!cfg_.layer_norm) continue;
                for (std::size_t c = first; c < last; ++c) {
                    const std::size_t e = r * C + c;
                    if (!keeps(call, e)) continue;
                    const double dy = select(call, e, dout.data[e]);
                    tensor(gain).gradients[c] = static_cast<float>(tensor(gain).gradients[c] + dy * n[e]);
                    tensor(bias).gradients[c] = static_cast<float>(tensor(bias).gradients[c] + dy);
                }
            }
        });
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        constexpr std::size_t nowhere = ~std::size_t{0};
        std::size_t begins[slots] = {nowhere, nowhere, nowhere, nowhere, nowhere};
        std::size_t reach = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            std::size_t slot = 0;
            while (slot < slots && !(tensors_[slot] && same_name(tensors_[slot]->info, entries[i])))
                ++slot;
            if (slot == slots || begins[slot] != nowhere) return Status{Code::invalid_argument, i};
            if (tensor(slot).info != entries[i]) return Status{Code::shape_mismatch, i};
            begins[slot] = reach;
            reach += tensor(slot).values.size();
        }
        for (std::size_t slot = 0; slot < slots; ++slot)
            if (tensors_[slot] && begins[slot] == nowhere)
                return Status{Code::invalid_argument, entries.size()};
        if (reach != values.size()) return Status{Code::shape_mismatch, entries.size()};
        for (std::size_t slot = 0; slot < slots; ++slot)
            if (tensors_[slot]) {
                const auto part = values.subspan(begins[slot], tensor(slot).values.size());
                std::copy(part.begin(), part.end(), tensor(slot).values.begin());
            }
        last_.reset();
        return {};
    }

  private:
    struct Row {
        double mean = 0;
        double root = 0;
    };
    struct Record {
        std::size_t batch, time, start;
        std::vector<TokenId> ids;
        bool training;
        std::uint64_t offset;
        std::vector<Row> rows; ///< where there is a LayerNorm
    };

    Tensor& tensor(std::size_t slot) { return *tensors_[slot]; }
    const Tensor& tensor(std::size_t slot) const { return *tensors_[slot]; }

    void put(Slot slot, std::string_view name, std::size_t rows, std::vector<float> values, bool trained) {
        const std::size_t count = values.size();
        tensors_[slot] = Tensor{TensorInfo(name, rows, cfg_.d_model), std::move(values),
                                std::vector<float>(trained ? count : 0)};
    }
    std::vector<TensorInfo> infos(std::size_t first, std::size_t last) const {
        std::vector<TensorInfo> result;
        for (; first < last; ++first)
            if (tensors_[first]) result.push_back(tensors_[first]->info);
        return result;
    }
    static bool same_name(const TensorInfo& a, const TensorInfo& b) {
        return std::equal(a.name, a.name + sizeof a.name, b.name);
    }

    std::vector<float> sinusoids() const {
        const std::size_t C = cfg_.d_model;
        std::vector<float> table(cfg_.max_positions * C);
        for (std::size_t pair = 0; 2 * pair < C; ++pair) {
            const double slow = std::pow(10'000.0, 2.0 * static_cast<double>(pair) / static_cast<double>(C));
            for (std::size_t p = 0; p < cfg_.max_positions; ++p) {
                float* to = table.data() + p * C + 2 * pair;
                to[0] = static_cast<float>(std::sin(static_cast<double>(p) / slow));
                if (2 * pair + 1 < C) to[1] = static_cast<float>(std::cos(static_cast<double>(p) / slow));
            }
        }
        return table;
    }

    bool keeps(const Record& call, std::size_t e) const {
        return !call.training || uniform(seed_, call.offset + e) >= static_cast<double>(cfg_.dropout);
    }
    double select(const Record& call, std::size_t e, float value) const {
        if (!call.training) return value;
        return keeps(call, e) ? value / (1.0 - static_cast<double>(cfg_.dropout)) : 0.0;
    }
    void sum(const Record& call, std::size_t r, float* x) const {
        const std::size_t C = cfg_.d_model;
        const float* token = tensor(wte).values.data() + static_cast<std::size_t>(call.ids[r]) * C;
        const float* place =
            tensor(tensors_[wpe] ? wpe : pe).values.data() + (call.start + r % call.time) * C;
        if (!cfg_.scale_by_sqrt_d) {
            for (std::size_t c = 0; c < C; ++c)
                x[c] = token[c] + place[c];
        } else {
            const double factor = std::sqrt(static_cast<double>(C));
            for (std::size_t c = 0; c < C; ++c)
                x[c] = static_cast<float>(factor * token[c] + place[c]);
        }
    }
    Row measure(const std::vector<float>& x) const {
        double mean = 0;
        for (const float value : x)
            mean += value;
        mean /= static_cast<double>(x.size());
        double variance = 0;
        for (const float value : x)
            variance += (value - mean) * (value - mean);
        return {mean, std::sqrt(variance / static_cast<double>(x.size()) + 1e-5)};
    }

    InputEmbeddingConfig cfg_;
    std::uint64_t seed_;
    std::optional<Tensor> tensors_[slots];
    bool training_ = true;
    std::uint64_t offset_ = 0;
    std::optional<Record> last_;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    const std::pair<bool, ConfigField> rules[] = {
        {config.vocab_size > 0, ConfigField::vocab_size},
        {config.d_model > 0, ConfigField::d_model},
        {config.max_positions > 0, ConfigField::max_positions},
        {config.dropout >= 0 && config.dropout <= 1, ConfigField::dropout},
        {config.positions == Positions::learned || config.positions == Positions::sinusoidal,
         ConfigField::positions},
        {config.padding_idx < 0 || static_cast<std::size_t>(config.padding_idx) < config.vocab_size,
         ConfigField::padding_idx},
    };
    for (const auto& [holds, field] : rules)
        if (!holds) return field;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    const std::size_t C = config.d_model;
    const std::size_t tables = (config.vocab_size + config.max_positions) * C + (config.layer_norm ? 2 * C : 0);
    const std::size_t buffer = config.positions == Positions::sinusoidal ? config.max_positions * C : 0;
    return {tables - buffer, (tables - buffer) * 4, buffer * 4};
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    return validate(config) == ConfigField::none ? std::make_unique<Module>(config, seed) : nullptr;
}

} // namespace exercise
