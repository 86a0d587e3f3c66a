// right: Marsaglia's polar method with a goto, moments by recursive halving in long double, and rows from the last to the first in both directions
#include "contract.h"

#include <cmath>
#include <cstring>
#include <string>

namespace exercise {
namespace {

// Marsaglia's polar method; wte and wpe draw from disjoint parts of the element's stream.
double normal(std::uint64_t seed, std::uint64_t element, std::uint64_t table) {
    const std::uint64_t stream = random_bits(random_bits(seed, 4711), element);
    std::uint64_t draw = table << 32;
once_more:
    const double a = 2 * uniform(stream, draw++) - 1, b = 2 * uniform(stream, draw++) - 1;
    const double s = a * a + b * b;
    if (s >= 1) goto once_more;
    return a * std::sqrt(-2 * std::log(s) / s);
}

// Sum of f(from) ... f(to - 1) by halves.
template <class F>
long double halves(std::size_t from, std::size_t to, const F& f) {
    if (to - from <= 7) {
        long double sum = 0;
        while (from < to)
            sum += f(from++);
        return sum;
    }
    const std::size_t middle = from + (to - from) / 2;
    return halves(from, middle, f) + halves(middle, to, f);
}

struct Tensor {
    TensorInfo info;
    std::vector<float> value;
    std::vector<float> grad; // empty for a buffer

    std::size_t size() const { return info.rows * info.cols; }
};

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), seed_(seed), V_(config.vocab_size), P_(config.max_positions), C_(config.d_model) {
        learned_ = config.positions == Positions::learned;
        Tensor wte{TensorInfo("wte", V_, C_), std::vector<float>(V_ * C_), std::vector<float>(V_ * C_)};
        for (std::size_t e = 0; e < V_ * C_; ++e)
            wte.value[e] = static_cast<float>(0.02 * normal(seed, e, 0));
        if (config.padding_idx >= 0)
            std::fill_n(wte.value.begin() + config.padding_idx * static_cast<std::int64_t>(C_), C_, 0.0F);
        params_.push_back(std::move(wte));
        Tensor position{TensorInfo(learned_ ? "wpe" : "pe", P_, C_), std::vector<float>(P_ * C_), {}};
        if (learned_) {
            position.grad.resize(P_ * C_);
            for (std::size_t e = 0; e < P_ * C_; ++e)
                position.value[e] = static_cast<float>(0.01 * normal(seed, e, 1));
            params_.push_back(std::move(position));
        } else {
            fill_sinusoidal(position.value);
            buffers_.push_back(std::move(position));
        }
        if (config.layer_norm) {
            params_.push_back({TensorInfo("gain", 1, C_), std::vector<float>(C_, 1.0F), std::vector<float>(C_)});
            params_.push_back({TensorInfo("bias", 1, C_), std::vector<float>(C_, 0.0F), std::vector<float>(C_)});
        }
        if (config.scale_by_sqrt_d) factor_ = std::sqrt(static_cast<double>(C_));
    }

    std::vector<TensorInfo> parameters() const override {
        std::vector<TensorInfo> list;
        for (const Tensor& t : params_)
            list.push_back(t.info);
        return list;
    }

    std::vector<TensorInfo> buffers() const override {
        std::vector<TensorInfo> list;
        for (const Tensor& t : buffers_)
            list.push_back(t.info);
        return list;
    }

    std::vector<float> state() const override {
        std::vector<float> all;
        for (const Tensor& t : params_)
            all.insert(all.end(), t.value.begin(), t.value.end());
        for (const Tensor& t : buffers_)
            all.insert(all.end(), t.value.begin(), t.value.end());
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t B = ids.rows, T = ids.cols;
        if (out.batch != B || out.time != T || out.channels != C_) return Status{Code::shape_mismatch};
        if (start > P_ || T > P_ - start) {
            const std::size_t p = std::max(start, P_);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P_);
        }
        std::vector<TokenId> copy;
        if (B != 0 && T != 0) {
            copy.reserve(B * T);
            for (std::size_t b = 0; b < B; ++b)
                for (std::size_t t = 0; t < T; ++t) {
                    const TokenId id = ids(b, t);
                    if (id < 0 || static_cast<std::size_t>(id) >= V_)
                        return Status::id_out_of_range(b * T + t, id, V_);
                    copy.push_back(id);
                }
        }
        last_.valid = true;
        last_.ids = std::move(copy);
        last_.B = B, last_.T = T, last_.start = start;
        last_.training = training_;
        last_.offset = offset_;
        std::vector<double> x(C_);
        for (std::size_t n = last_.ids.size(); n-- != 0;) {
            compute_x(n, x);
            if (config_.layer_norm) {
                double mean, root;
                moments(x, mean, root);
                const std::vector<float>&gain = find("gain")->value, &bias = find("bias")->value;
                for (std::size_t c = 0; c < C_; ++c)
                    x[c] = gain[c] * ((x[c] - mean) / root) + bias[c];
            }
            float* row = out.data + n * C_;
            for (std::size_t c = 0; c < C_; ++c) {
                if (!training_)
                    row[c] = static_cast<float>(x[c]);
                else if (kept(n * C_ + c))
                    row[c] = static_cast<float>(x[c] / (1.0 - static_cast<double>(config_.dropout)));
                else
                    row[c] = 0.0F;
            }
        }
        if (training_) offset_ += B * T * C_;
        return Status{};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const Tensor& t : params_) {
            if (name != t.info.name) continue;
            if (out.rows != t.info.rows || out.cols != t.info.cols) return Status{Code::shape_mismatch};
            for (std::size_t r = 0; r < out.rows; ++r)
                std::copy_n(t.grad.begin() + static_cast<std::ptrdiff_t>(r * C_), C_, out.row(r));
            return Status{};
        }
        return Status{Code::invalid_argument};
    }

    void zero_gradients() override {
        for (Tensor& t : params_)
            std::fill(t.grad.begin(), t.grad.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        if (!last_.valid) return Status{Code::invalid_argument};
        if (dout.batch != last_.B || dout.time != last_.T || dout.channels != C_) return Status{Code::shape_mismatch};
        std::vector<double> x(C_), d(C_);
        for (std::size_t n = last_.ids.size(); n-- != 0;) {
            const float* row = dout.data + n * C_;
            for (std::size_t c = 0; c < C_; ++c) {
                d[c] = row[c];
                if (last_.training)
                    d[c] = kept(n * C_ + c) ? d[c] / (1.0 - static_cast<double>(config_.dropout)) : 0.0;
            }
            if (config_.layer_norm) {
                Tensor &gain = *find("gain"), &bias = *find("bias");
                compute_x(n, x);
                double mean, root;
                moments(x, mean, root);
                double mean_h = 0, mean_hn = 0;
                for (std::size_t c = 0; c < C_; ++c) {
                    x[c] = (x[c] - mean) / root;
                    gain.grad[c] += static_cast<float>(d[c] * x[c]);
                    bias.grad[c] += static_cast<float>(d[c]);
                    d[c] *= gain.value[c];
                    mean_h += d[c];
                    mean_hn += d[c] * x[c];
                }
                mean_h /= static_cast<double>(C_);
                mean_hn /= static_cast<double>(C_);
                for (std::size_t c = 0; c < C_; ++c)
                    d[c] = (d[c] - mean_h - x[c] * mean_hn) / root;
            }
            const TokenId id = last_.ids[n];
            if (learned_) {
                float* g = params_[1].grad.data() + (last_.start + n % last_.T) * C_;
                for (std::size_t c = 0; c < C_; ++c)
                    g[c] += static_cast<float>(d[c]);
            }
            if (id == config_.padding_idx) continue;
            float* g = params_[0].grad.data() + static_cast<std::size_t>(id) * C_;
            for (std::size_t c = 0; c < C_; ++c)
                g[c] += static_cast<float>(factor_ * d[c]);
        }
        return Status{};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<Tensor*> all;
        for (Tensor& t : params_)
            all.push_back(&t);
        for (Tensor& t : buffers_)
            all.push_back(&t);
        std::vector<Tensor*> order;
        std::size_t total = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            Tensor* found = nullptr;
            for (Tensor* t : all)
                if (std::memcmp(t->info.name, entries[i].name, sizeof entries[i].name) == 0) found = t;
            if (!found || std::find(order.begin(), order.end(), found) != order.end())
                return Status{Code::invalid_argument, i};
            if (found->info.rows != entries[i].rows || found->info.cols != entries[i].cols)
                return Status{Code::shape_mismatch, i};
            order.push_back(found);
            total += found->size();
        }
        if (order.size() != all.size()) return Status{Code::invalid_argument, entries.size()};
        if (values.size() != total) return Status{Code::shape_mismatch, entries.size()};
        const float* from = values.data();
        for (Tensor* t : order) {
            std::memcpy(t->value.data(), from, t->size() * sizeof(float));
            from += t->size();
        }
        last_.valid = false;
        return Status{};
    }

  private:
    void fill_sinusoidal(std::vector<float>& table) const {
        for (std::size_t c = 0; c < C_; ++c) {
            const double wave = std::pow(10'000.0, static_cast<double>(c / 2 * 2) / static_cast<double>(C_));
            for (std::size_t p = 0; p < P_; ++p) {
                const double angle = static_cast<double>(p) / wave;
                table[p * C_ + c] = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
            }
        }
    }

    const Tensor* find(std::string_view name) const {
        for (const Tensor& t : params_)
            if (name == t.info.name) return &t;
        return nullptr;
    }
    Tensor* find(std::string_view name) {
        for (Tensor& t : params_)
            if (name == t.info.name) return &t;
        return nullptr;
    }

    bool kept(std::size_t e) const {
        return uniform(seed_, last_.offset + e) >= static_cast<double>(config_.dropout);
    }

    // Row n of the last call, before LayerNorm.
    void compute_x(std::size_t n, std::vector<double>& x) const {
        const std::vector<float>& table = learned_ ? params_[1].value : buffers_[0].value;
        const float* token = params_[0].value.data() + static_cast<std::size_t>(last_.ids[n]) * C_;
        const float* position = table.data() + (last_.start + n % last_.T) * C_;
        for (std::size_t c = 0; c < C_; ++c)
            x[c] = config_.scale_by_sqrt_d ? static_cast<float>(factor_ * token[c] + position[c])
                                           : token[c] + position[c];
    }

    void moments(const std::vector<double>& x, double& mean, double& root) const {
        const long double C = static_cast<long double>(C_);
        const long double m = halves(0, C_, [&](std::size_t c) -> long double { return x[c]; }) / C;
        const long double v = halves(0, C_, [&](std::size_t c) { return (x[c] - m) * (x[c] - m); }) / C;
        mean = static_cast<double>(m);
        root = static_cast<double>(std::sqrt(v + 1e-5L));
    }

    struct Last {
        bool valid = false;
        bool training = false;
        std::size_t B = 0, T = 0, start = 0;
        std::uint64_t offset = 0;
        std::vector<TokenId> ids;
    };

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    std::size_t V_, P_, C_;
    bool learned_ = true;
    double factor_ = 1;
    std::vector<Tensor> params_, buffers_;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    Last last_;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    if (config.vocab_size == 0) return ConfigField::vocab_size;
    if (config.d_model == 0) return ConfigField::d_model;
    if (config.max_positions == 0) return ConfigField::max_positions;
    if (!(config.dropout >= 0 && config.dropout <= 1)) return ConfigField::dropout;
    if (config.positions != Positions::learned && config.positions != Positions::sinusoidal)
        return ConfigField::positions;
    if (config.padding_idx >= 0 && static_cast<std::uint64_t>(config.padding_idx) >= config.vocab_size)
        return ConfigField::padding_idx;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    ParameterCount result;
    result.parameters = config.vocab_size * config.d_model;
    const std::size_t positions = config.max_positions * config.d_model;
    if (config.positions == Positions::learned)
        result.parameters += positions;
    else
        result.buffer_bytes = 4 * positions;
    if (config.layer_norm) result.parameters += 2 * config.d_model;
    result.parameter_bytes = 4 * result.parameters;
    return result;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
