// wrong: backward multiplies dout by a mask of 0 and 1 / (1 - p), so an infinite or NaN dout at a dropped value gives NaN gradients; a right one lets nothing pass where a value was dropped.
#include "contract.h"

#include <cmath>
#include <cstring>
#include <numbers>
#include <optional>
#include <utility>

namespace exercise {
namespace {

constexpr double eps = 1e-5;

struct Named {
    TensorInfo info;
    std::vector<float> values;
    std::vector<float> gradient; // empty for a buffer

    Named(std::string_view name, std::size_t rows, std::size_t cols, bool trained)
        : info(name, rows, cols), values(rows * cols), gradient(trained ? rows * cols : 0) {}
    std::string_view name() const { return info.name; }
    float* row(std::size_t r) { return values.data() + r * info.cols; }
    const float* row(std::size_t r) const { return values.data() + r * info.cols; }
};

std::uint64_t scramble(std::uint64_t z) {
    z = (z ^ (z >> 32)) * 0xD6E8FEB86659FD93u;
    z = (z ^ (z >> 29)) * 0xC2B2AE3D27D4EB4Fu;
    return z ^ (z >> 32);
}

void fill_normal(std::vector<float>& values, double deviation, std::uint64_t key) {
    for (std::size_t i = 0; i < values.size(); i += 2) {
        const double radius = deviation * std::sqrt(-2 * std::log(uniform(key, i)));
        const double angle = 2 * std::numbers::pi * uniform(key, i + 1);
        values[i] = static_cast<float>(radius * std::cos(angle));
        if (i + 1 < values.size()) values[i + 1] = static_cast<float>(radius * std::sin(angle));
    }
}

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), seed_(seed), factor_(config.scale_by_sqrt_d ? std::sqrt(double(config.d_model)) : 1) {
        const bool learned = config.positions == Positions::learned;
        tensors_.emplace_back("wte", config.vocab_size, config.d_model, true);
        fill_normal(tensors_.back().values, 0.02, scramble(scramble(seed + 1) ^ 0x7465));
        if (config.padding_idx >= 0)
            std::fill_n(tensors_.back().row(std::size_t(config.padding_idx)), config.d_model, 0.0F);
        if (learned) {
            tensors_.emplace_back("wpe", config.max_positions, config.d_model, true);
            fill_normal(tensors_.back().values, 0.01, scramble(scramble(seed + 1) ^ 0x7065));
        }
        if (config.layer_norm) {
            tensors_.emplace_back("gain", 1, config.d_model, true);
            std::fill(tensors_.back().values.begin(), tensors_.back().values.end(), 1.0F);
            tensors_.emplace_back("bias", 1, config.d_model, true);
        }
        if (!learned) {
            tensors_.emplace_back("pe", config.max_positions, config.d_model, false);
            Named& pe = tensors_.back();
            for (std::size_t c = 0; c < config.d_model; ++c) {
                const double speed = std::pow(10'000.0, -double(c - c % 2) / double(config.d_model));
                for (std::size_t p = 0; p < config.max_positions; ++p)
                    pe.row(p)[c] = float(c % 2 ? std::cos(double(p) * speed) : std::sin(double(p) * speed));
            }
        }
    }

    std::vector<TensorInfo> parameters() const override { return infos(true); }
    std::vector<TensorInfo> buffers() const override { return infos(false); }

    std::vector<float> state() const override {
        std::vector<float> all;
        for (const Named& tensor : tensors_)
            all.insert(all.end(), tensor.values.begin(), tensor.values.end());
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t B = ids.rows, T = ids.cols, C = config_.d_model;
        if (out.batch != B || out.time != T || out.channels != C) return {Code::shape_mismatch};
        const std::size_t P = config_.max_positions;
        if (start > P || T > P - start) {
            const std::size_t p = std::max(start, P);
            return Status::position_out_of_range(p - start, std::int64_t(p), P);
        }
        Call call;
        call.ids.resize(B * T);
        for (std::size_t b = 0; b < B; ++b)
            for (std::size_t t = 0; t < T; ++t) {
                const TokenId id = ids(b, t);
                if (id < 0 || std::size_t(id) >= config_.vocab_size)
                    return Status::id_out_of_range(b * T + t, id, config_.vocab_size);
                call.ids[b * T + t] = id;
            }
        call.batch = B, call.time = T, call.start = start;
        call.trained = training_;
        call.offset = offset_;
        call.valid = true;
        if (training_) offset_ += std::uint64_t(B) * T * C;

        std::vector<double> x(C), n(C);
        for (std::size_t b = 0; b < B; ++b)
            for (std::size_t t = 0; t < T; ++t) {
                if (config_.layer_norm) {
                    normalised(call, b, t, n.data());
                    const float *gain = find("gain")->row(0), *bias = find("bias")->row(0);
                    for (std::size_t c = 0; c < C; ++c)
                        x[c] = gain[c] * n[c] + bias[c];
                } else {
                    sum(call, b, t, x.data());
                }
                float* row = out.row(b, t);
                const std::uint64_t first = call.offset + (std::uint64_t(b) * T + t) * C;
                for (std::size_t c = 0; c < C; ++c)
                    if (!training_)
                        row[c] = float(x[c]);
                    else if (uniform(seed_, first + c) >= config_.dropout)
                        row[c] = float(x[c] / (1 - double(config_.dropout)));
                    else
                        row[c] = 0;
            }
        last_ = std::move(call);
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        const Named* tensor = find(name);
        if (!tensor || is_buffer(*tensor)) return {Code::invalid_argument};
        if (out.rows != tensor->info.rows || out.cols != tensor->info.cols) return {Code::shape_mismatch};
        for (std::size_t r = 0; r < out.rows; ++r)
            std::copy_n(tensor->gradient.data() + r * out.cols, out.cols, out.row(r));
        return {};
    }

    void zero_gradients() override {
        for (Named& tensor : tensors_)
            std::fill(tensor.gradient.begin(), tensor.gradient.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        const std::size_t C = config_.d_model;
        if (!last_.valid) return {Code::invalid_argument};
        if (dout.batch != last_.batch || dout.time != last_.time || dout.channels != C)
            return {Code::shape_mismatch};
        Named* const wte = find("wte");
        Named* const wpe = find("wpe");
        Named* const gain = find("gain");
        Named* const bias = find("bias");
        std::vector<double> g(C), n(C);
        for (std::size_t b = 0; b < last_.batch; ++b)
            for (std::size_t t = 0; t < last_.time; ++t) {
                const float* dy = dout.row(b, t);
                const std::uint64_t first = last_.offset + (std::uint64_t(b) * last_.time + t) * C;
                const double keep = config_.dropout < 1 ? 1 / (1 - double(config_.dropout)) : 0;
                for (std::size_t c = 0; c < C; ++c) {
                    const double mask = !last_.trained                                 ? 1
                                        : uniform(seed_, first + c) >= config_.dropout ? keep
                                                                                       : 0;
                    g[c] = mask * dy[c];
                }
                if (gain) {
                    normalised(last_, b, t, n.data());
                    double mean = 0, along = 0;
                    for (std::size_t c = 0; c < C; ++c) {
                        gain->gradient[c] = float(gain->gradient[c] + g[c] * n[c]);
                        bias->gradient[c] = float(bias->gradient[c] + g[c]);
                        g[c] *= gain->values[c];
                        mean += g[c];
                        along += g[c] * n[c];
                    }
                    mean /= double(C), along /= double(C);
                    for (std::size_t c = 0; c < C; ++c)
                        g[c] = (g[c] - mean - n[c] * along) * inverse_;
                }
                const std::size_t id = std::size_t(last_.ids[b * last_.time + t]);
                if (std::int64_t(id) != config_.padding_idx) {
                    float* to = wte->gradient.data() + id * C;
                    for (std::size_t c = 0; c < C; ++c)
                        to[c] = float(to[c] + factor_ * g[c]);
                }
                if (wpe) {
                    float* to = wpe->gradient.data() + (last_.start + t) * C;
                    for (std::size_t c = 0; c < C; ++c)
                        to[c] = float(to[c] + g[c]);
                }
            }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<const TensorInfo*> source(tensors_.size());
        std::vector<std::size_t> place(tensors_.size());
        std::size_t total = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const Named* tensor = find(entries[i].name);
            const std::size_t index = tensor ? std::size_t(tensor - tensors_.data()) : 0;
            if (!tensor || source[index]) return {Code::invalid_argument, i};
            if (tensor->info != entries[i]) return {Code::shape_mismatch, i};
            source[index] = &entries[i];
            place[index] = total;
            total += entries[i].rows * entries[i].cols;
        }
        for (const TensorInfo* entry : source)
            if (!entry) return {Code::invalid_argument, entries.size()};
        if (values.size() != total) return {Code::shape_mismatch, entries.size()};
        for (std::size_t i = 0; i < tensors_.size(); ++i)
            std::copy_n(values.data() + place[i], tensors_[i].values.size(), tensors_[i].values.data());
        last_.valid = false;
        return {};
    }

  private:
    struct Call {
        bool valid = false;
        bool trained = false;
        std::size_t batch = 0, time = 0, start = 0;
        std::uint64_t offset = 0;
        std::vector<TokenId> ids;
    };

    static bool is_buffer(const Named& tensor) { return tensor.name() == "pe"; }
    std::vector<TensorInfo> infos(bool trained) const {
        std::vector<TensorInfo> list;
        for (const Named& tensor : tensors_)
            if (is_buffer(tensor) != trained) list.push_back(tensor.info);
        return list;
    }
    const Named* find(std::string_view name) const {
        for (const Named& tensor : tensors_)
            if (tensor.name() == name) return &tensor;
        return nullptr;
    }
    Named* find(std::string_view name) { return const_cast<Named*>(std::as_const(*this).find(name)); }

    void sum(const Call& call, std::size_t b, std::size_t t, double* x) const {
        const TokenId id = call.ids[b * call.time + t];
        const float* token = tensors_.front().row(std::size_t(id));
        const float* position = find(config_.positions == Positions::learned ? "wpe" : "pe")->row(call.start + t);
        for (std::size_t c = 0; c < config_.d_model; ++c)
            x[c] = float(factor_ * token[c] + position[c]);
    }
    void normalised(const Call& call, std::size_t b, std::size_t t, double* n) {
        const std::size_t C = config_.d_model;
        sum(call, b, t, n);
        double mean = 0, variance = 0;
        for (std::size_t c = 0; c < C; ++c)
            mean += n[c];
        mean /= double(C);
        for (std::size_t c = 0; c < C; ++c)
            variance += (n[c] - mean) * (n[c] - mean);
        const double root = std::sqrt(variance / double(C) + eps);
        inverse_ = 1 / root;
        for (std::size_t c = 0; c < C; ++c)
            n[c] = (n[c] - mean) / root;
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    double factor_;
    double inverse_ = 1; // of the root of the row that was normalised last
    std::vector<Named> tensors_;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    Call last_;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    if (config.vocab_size == 0) return ConfigField::vocab_size;
    if (config.d_model == 0) return ConfigField::d_model;
    if (config.max_positions == 0) return ConfigField::max_positions;
    if (!(config.dropout >= 0 && config.dropout <= 1)) return ConfigField::dropout;
    if (config.positions != Positions::learned && config.positions != Positions::sinusoidal)
        return ConfigField::positions;
    if (config.padding_idx >= std::int64_t(config.vocab_size)) return ConfigField::padding_idx;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    ParameterCount total;
    const std::size_t table = config.max_positions * config.d_model;
    total.parameters = config.vocab_size * config.d_model;
    if (config.positions == Positions::learned)
        total.parameters += table;
    else
        total.buffer_bytes = 4 * table;
    if (config.layer_norm) total.parameters += 2 * config.d_model;
    total.parameter_bytes = 4 * total.parameters;
    return total;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
