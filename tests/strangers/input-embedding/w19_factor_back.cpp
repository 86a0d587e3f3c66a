// wrong: with scale_by_sqrt_d the gradient of wte lacks the factor sqrt(C)
#include "contract.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

namespace exercise {
namespace {

struct Tensor {
    std::string_view name;
    std::size_t rows, cols;
    std::vector<float> value, grad;
    TensorInfo info() const { return {name, rows, cols}; }
};

void draw(std::vector<float>& to, double deviation, std::uint64_t seed, std::uint64_t stream) {
    const std::uint64_t key = random_bits(random_bits(seed, 77) ^ 0x5DEECE66D5DEECE6u, stream);
    for (std::size_t i = 0; i < to.size(); i += 2) {
        const double radius = deviation * std::sqrt(-2 * std::log(uniform(key, i)));
        const double angle = 2 * std::numbers::pi * uniform(key, i + 1);
        to[i] = static_cast<float>(radius * std::cos(angle));
        if (i + 1 < to.size()) to[i + 1] = static_cast<float>(radius * std::sin(angle));
    }
}

std::string_view name_of(const TensorInfo& t) { return {t.name, strnlen(t.name, sizeof t.name)}; }

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed)
        : c_(config), seed_(seed), C(config.d_model), factor_(config.scale_by_sqrt_d ? std::sqrt(static_cast<double>(C)) : 1.0) {
        const bool learned = c_.positions == Positions::learned;
        tensors_.push_back({"wte", c_.vocab_size, C, {}, {}});
        if (learned) tensors_.push_back({"wpe", c_.max_positions, C, {}, {}});
        if (c_.layer_norm) {
            tensors_.push_back({"gain", 1, C, {}, {}});
            tensors_.push_back({"bias", 1, C, {}, {}});
        }
        trained_ = tensors_.size();
        if (!learned) tensors_.push_back({"pe", c_.max_positions, C, {}, {}});
        for (std::size_t k = 0; k < tensors_.size(); ++k) {
            Tensor& t = tensors_[k];
            t.value.assign(t.rows * t.cols, t.name == "gain" ? 1.0F : 0.0F);
            if (k < trained_) t.grad.assign(t.rows * t.cols, 0.0F);
        }
        draw(tensors_[0].value, 0.02, seed, 1);
        if (c_.padding_idx >= 0) std::fill_n(tensors_[0].value.begin() + static_cast<std::ptrdiff_t>(c_.padding_idx * static_cast<std::int64_t>(C)), C, 0.0F);
        if (learned) draw(tensors_[1].value, 0.01, seed, 2);
        else
            for (std::size_t p = 0; p < c_.max_positions; ++p)
                for (std::size_t c = 0; c < C; ++c) {
                    const double angle = static_cast<double>(p) / std::pow(10000.0, static_cast<double>(c / 2 * 2) / static_cast<double>(C));
                    tensors_.back().value[p * C + c] = static_cast<float>(c % 2 ? std::cos(angle) : std::sin(angle));
                }
    }

    std::vector<TensorInfo> parameters() const override { return list(0, trained_); }
    std::vector<TensorInfo> buffers() const override { return list(trained_, tensors_.size()); }
    std::vector<float> state() const override {
        std::vector<float> all;
        for (const Tensor& t : tensors_) all.insert(all.end(), t.value.begin(), t.value.end());
        return all;
    }
    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t B = ids.rows, T = ids.cols, P = c_.max_positions, V = c_.vocab_size;
        if (out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
        if (start > P || T > P - start) {
            const std::size_t p = std::max(start, P);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
        }
        for (std::size_t b = 0; b < B; ++b)
            for (std::size_t t = 0; t < T; ++t)
                if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V) return Status::id_out_of_range(b * T + t, ids(b, t), V);
        Call call;
        call.valid = true;
        call.train = training_;
        call.B = B, call.T = T, call.start = start, call.offset = offset_;
        for (std::size_t b = 0; b < B; ++b)
            for (std::size_t t = 0; t < T; ++t) call.ids.push_back(ids(b, t));
        if (c_.layer_norm) call.normal.resize(B * T * C), call.root.resize(B * T);
        std::vector<float> x(C);
        for (std::size_t n = 0; n < B * T; ++n) {
            const float* w = token_row(call.ids[n]);
            const float* p = position_row(start + n % T);
            for (std::size_t c = 0; c < C; ++c) x[c] = static_cast<float>(factor_ * w[c] + p[c]);
            if (c_.layer_norm) normalise(x.data(), call, n);
            for (std::size_t c = 0; c < C; ++c) {
                const std::size_t e = n * C + c;
                out.data[e] = kept(call, e) ? static_cast<float>(x[c] / keep_scale(call)) : 0.0F;
            }
        }
        if (training_) offset_ += B * T * C;
        last_ = std::move(call);
        return Status{};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (std::size_t k = 0; k < trained_; ++k) {
            const Tensor& t = tensors_[k];
            if (t.name != name) continue;
            if (out.rows != t.rows || out.cols != t.cols) return Status{Code::shape_mismatch};
            for (std::size_t r = 0; r < t.rows; ++r)
                for (std::size_t c = 0; c < t.cols; ++c) out(r, c) = t.grad[r * t.cols + c];
            return Status{};
        }
        return Status{Code::invalid_argument};
    }
    void zero_gradients() override {
        for (Tensor& t : tensors_) std::fill(t.grad.begin(), t.grad.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        if (!last_.valid) return Status{Code::invalid_argument};
        if (dout.batch != last_.B || dout.time != last_.T || dout.channels != C) return Status{Code::shape_mismatch};
        const bool learned = c_.positions == Positions::learned;
        const float* gain = c_.layer_norm ? tensors_[trained_ - 2].value.data() : nullptr;
        std::vector<double> dy(C);
        for (std::size_t n = 0; n < last_.B * last_.T; ++n) {
            for (std::size_t c = 0; c < C; ++c) {
                const std::size_t e = n * C + c;
                dy[c] = kept(last_, e) ? dout.data[e] / keep_scale(last_) : 0.0;
            }
            if (gain) {
                const float* y = last_.normal.data() + n * C;
                float* dgain = tensors_[trained_ - 2].grad.data();
                float* dbias = tensors_[trained_ - 1].grad.data();
                double mean = 0, mean_n = 0;
                for (std::size_t c = 0; c < C; ++c) {
                    dgain[c] = static_cast<float>(dgain[c] + dy[c] * y[c]);
                    dbias[c] = static_cast<float>(dbias[c] + dy[c]);
                    dy[c] *= gain[c];
                    mean += dy[c];
                    mean_n += dy[c] * y[c];
                }
                mean /= static_cast<double>(C);
                mean_n /= static_cast<double>(C);
                for (std::size_t c = 0; c < C; ++c) dy[c] = (dy[c] - mean - y[c] * mean_n) / last_.root[n];
            }
            const std::int64_t id = last_.ids[n];
            if (id != c_.padding_idx)
                for (std::size_t c = 0; c < C; ++c) {
                    float& g = tensors_[0].grad[static_cast<std::size_t>(id) * C + c];
                    g = static_cast<float>(g + dy[c]);
                }
            if (learned)
                for (std::size_t c = 0; c < C; ++c) {
                    float& g = tensors_[1].grad[(last_.start + n % last_.T) * C + c];
                    g = static_cast<float>(g + dy[c]);
                }
        }
        return Status{};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<std::size_t> which;
        std::size_t need = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            std::size_t k = 0;
            while (k < tensors_.size() && tensors_[k].name != name_of(entries[i])) ++k;
            if (k == tensors_.size() || std::find(which.begin(), which.end(), k) != which.end()) return Status{Code::invalid_argument, i};
            if (entries[i].rows != tensors_[k].rows || entries[i].cols != tensors_[k].cols) return Status{Code::shape_mismatch, i};
            which.push_back(k);
            need += tensors_[k].value.size();
        }
        if (which.size() != tensors_.size()) return Status{Code::invalid_argument, entries.size()};
        if (values.size() != need) return Status{Code::shape_mismatch, entries.size()};
        const float* from = values.data();
        for (std::size_t k : which) {
            std::memcpy(tensors_[k].value.data(), from, tensors_[k].value.size() * sizeof(float));
            from += tensors_[k].value.size();
        }
        last_ = Call{};
        return Status{};
    }

  private:
    struct Call {
        bool valid = false, train = false;
        std::size_t B = 0, T = 0, start = 0;
        std::uint64_t offset = 0;
        std::vector<TokenId> ids;
        std::vector<float> normal;
        std::vector<double> root;
    };

    std::vector<TensorInfo> list(std::size_t from, std::size_t to) const {
        std::vector<TensorInfo> all;
        for (; from < to; ++from) all.push_back(tensors_[from].info());
        return all;
    }
    const float* token_row(std::int64_t id) const { return tensors_[0].value.data() + static_cast<std::size_t>(id) * C; }
    const float* position_row(std::size_t p) const {
        return (c_.positions == Positions::learned ? tensors_[1] : tensors_.back()).value.data() + p * C;
    }
    bool kept(const Call& call, std::uint64_t e) const { return !call.train || uniform(seed_, call.offset + e) >= static_cast<double>(c_.dropout); }
    double keep_scale(const Call& call) const { return call.train ? 1.0 - static_cast<double>(c_.dropout) : 1.0; }
    void normalise(float* x, Call& call, std::size_t n) const {
        double mean = 0, variance = 0;
        for (std::size_t c = 0; c < C; ++c) mean += x[c];
        mean /= static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c) variance += (x[c] - mean) * (x[c] - mean);
        variance /= static_cast<double>(C);
        const double root = std::sqrt(variance + 1e-5);
        const float* gain = tensors_[trained_ - 2].value.data();
        const float* bias = tensors_[trained_ - 1].value.data();
        for (std::size_t c = 0; c < C; ++c) {
            const double y = (x[c] - mean) / root;
            call.normal[n * C + c] = static_cast<float>(y);
            x[c] = static_cast<float>(gain[c] * y + bias[c]);
        }
        call.root[n] = root;
    }

    InputEmbeddingConfig c_;
    std::uint64_t seed_;
    std::size_t C;
    double factor_;
    std::size_t trained_ = 0;
    std::vector<Tensor> tensors_;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    Call last_;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    if (config.vocab_size == 0) return ConfigField::vocab_size;
    if (config.d_model == 0) return ConfigField::d_model;
    if (config.max_positions == 0) return ConfigField::max_positions;
    if (!(config.dropout >= 0.0F && config.dropout <= 1.0F)) return ConfigField::dropout;
    if (config.positions != Positions::learned && config.positions != Positions::sinusoidal) return ConfigField::positions;
    if (config.padding_idx >= 0 && static_cast<std::uint64_t>(config.padding_idx) >= config.vocab_size) return ConfigField::padding_idx;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    const std::size_t table = config.max_positions * config.d_model;
    ParameterCount n;
    n.parameters = config.vocab_size * config.d_model;
    if (config.positions == Positions::learned) n.parameters += table;
    else n.buffer_bytes = 4 * table;
    if (config.layer_norm) n.parameters += 2 * config.d_model;
    n.parameter_bytes = 4 * n.parameters;
    return n;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
