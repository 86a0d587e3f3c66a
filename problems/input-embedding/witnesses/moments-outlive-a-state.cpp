// Fault: Row statistics are kept for each token and position, and load_state does not drop them.
// Origin: round 26
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <thread>
#include <unordered_map>
#include <vector>

namespace exercise {

namespace {

constexpr double epsilon = 1e-5;
constexpr double pi = 3.14159265358979323846;

struct Tensor {
    TensorInfo info;
    std::vector<float> values;
    std::vector<float> gradient; // empty for a buffer

    Tensor(std::string_view name, std::size_t rows, std::size_t cols, bool trained)
        : info(name, rows, cols), values(rows * cols), gradient(trained ? rows * cols : 0) {}
    std::string_view name() const { return info.name; }
};

/// Calls work(row) for all rows, on several threads if there is much to do.
template <class Work>
void for_rows(std::size_t rows, std::size_t cols, Work work) {
    const std::size_t parts = rows * cols < 200'000 ? 1 : std::min<std::size_t>(8, rows);
    std::vector<std::thread> others;
    for (std::size_t i = 1; i < parts; ++i)
        others.emplace_back([=] {
            for (std::size_t r = rows * i / parts; r < rows * (i + 1) / parts; ++r)
                work(r);
        });
    for (std::size_t r = 0; r < rows / parts; ++r)
        work(r);
    for (std::thread& other : others)
        other.join();
}

/// Fills a tensor with normal numbers. Two tensors have different `which` and no draw in common.
void draw(Tensor& tensor, std::uint64_t seed, std::uint64_t which, double deviation) {
    const std::uint64_t stream = random_bits(seed, 0);
    const std::size_t cols = tensor.info.cols;
    const std::size_t pairs = (cols + 1) / 2;
    float* const first = tensor.values.data();
    for_rows(tensor.info.rows, cols, [=](std::size_t r) {
        for (std::size_t i = 0; i < pairs; ++i) {
            const std::uint64_t at = 4 * (static_cast<std::uint64_t>(r) * pairs + i) + 2 * which;
            const double radius = deviation * std::sqrt(-2 * std::log(uniform(stream, at)));
            const double angle = 2 * pi * uniform(stream, at + 1);
            float* const to = first + r * cols + 2 * i;
            to[0] = static_cast<float>(radius * std::cos(angle));
            if (2 * i + 1 < cols) to[1] = static_cast<float>(radius * std::sin(angle));
        }
    });
}

void sinusoids(Tensor& tensor) {
    const std::size_t cols = tensor.info.cols;
    float* const first = tensor.values.data();
    for_rows(tensor.info.rows, cols, [=](std::size_t p) {
        for (std::size_t c = 0; c < cols; ++c) {
            const double exponent = static_cast<double>(c - c % 2) / static_cast<double>(cols);
            const double angle = static_cast<double>(p) / std::pow(10'000.0, exponent);
            first[p * cols + c] = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    });
}

class Layer final : public InputEmbedding {
  public:
    Layer(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), seed_(seed), factor_(std::sqrt(static_cast<double>(config.d_model))) {
        const std::size_t V = config.vocab_size, C = config.d_model, P = config.max_positions;
        const bool learned = config.positions == Positions::learned;
        tensors_.reserve(5);
        tensors_.emplace_back("wte", V, C, true);
        draw(tensors_.back(), seed, 0, 0.02);
        if (config.padding_idx >= 0)
            std::fill_n(tensors_[0].values.data() + static_cast<std::size_t>(config.padding_idx) * C, C, 0.0F);
        if (learned) {
            position_ = tensors_.size();
            tensors_.emplace_back("wpe", P, C, true);
            draw(tensors_.back(), seed, 1, 0.01);
        }
        if (config.layer_norm) {
            gain_ = tensors_.size();
            tensors_.emplace_back("gain", std::size_t{1}, C, true);
            std::fill(tensors_.back().values.begin(), tensors_.back().values.end(), 1.0F);
            tensors_.emplace_back("bias", std::size_t{1}, C, true);
        }
        trained_ = tensors_.size();
        if (!learned) {
            position_ = tensors_.size();
            tensors_.emplace_back("pe", P, C, false);
            sinusoids(tensors_.back());
        }
    }

    std::vector<TensorInfo> parameters() const override { return infos(0, trained_); }
    std::vector<TensorInfo> buffers() const override { return infos(trained_, tensors_.size()); }

    std::vector<float> state() const override {
        std::size_t total = 0;
        for (const Tensor& tensor : tensors_)
            total += tensor.values.size();
        std::vector<float> all;
        all.reserve(total);
        for (const Tensor& tensor : tensors_)
            all.insert(all.end(), tensor.values.begin(), tensor.values.end());
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t V = config_.vocab_size, C = config_.d_model, P = config_.max_positions;
        const std::size_t B = ids.rows, T = ids.cols;
        if (out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
        if (T > P || start > P - T) {
            const std::size_t p = std::max(start, P);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
        }
        if (T > 0)
            for (std::size_t b = 0; b < B; ++b)
                for (std::size_t t = 0; t < T; ++t) {
                    const TokenId id = ids(b, t);
                    if (id < 0 || static_cast<std::size_t>(id) >= V)
                        return Status::id_out_of_range(b * T + t, id, V);
                }

        const std::size_t rows = B * T;
        ids_.resize(rows);
        for (std::size_t b = 0; b < B && T > 0; ++b)
            std::copy_n(ids.row(b), T, ids_.data() + b * T);
        ran_ = true;
        batch_ = B;
        time_ = T;
        start_ = start;
        dropped_ = training_;
        begin_ = offset_;
        if (training_) offset_ += static_cast<std::uint64_t>(rows) * C;

        const double p = config_.dropout;
        std::vector<double> x(C);
        for (std::size_t r = 0; r < rows; ++r) {
            float* const to = out.data + r * C;
            if (config_.layer_norm) {
                normalise(r, x);
                const float* const gain = tensors_[gain_].values.data();
                const float* const bias = tensors_[gain_ + 1].values.data();
                for (std::size_t c = 0; c < C; ++c)
                    x[c] = gain[c] * x[c] + bias[c];
            } else {
                add(r, x);
            }
            for (std::size_t c = 0; c < C; ++c) {
                if (!dropped_)
                    to[c] = static_cast<float>(x[c]);
                else
                    to[c] = kept(r * C + c) ? static_cast<float>(x[c] / (1 - p)) : 0.0F;
            }
        }
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (std::size_t i = 0; i < trained_; ++i) {
            const Tensor& tensor = tensors_[i];
            if (tensor.name() != name) continue;
            if (out.rows != tensor.info.rows || out.cols != tensor.info.cols)
                return Status{Code::shape_mismatch};
            for (std::size_t r = 0; r < out.rows; ++r)
                std::copy_n(tensor.gradient.data() + r * out.cols, out.cols, out.row(r));
            return {};
        }
        return Status{Code::invalid_argument};
    }

    void zero_gradients() override {
        for (Tensor& tensor : tensors_)
            std::fill(tensor.gradient.begin(), tensor.gradient.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        const std::size_t C = config_.d_model;
        if (!ran_) return Status{Code::invalid_argument};
        if (dout.batch != batch_ || dout.time != time_ || dout.channels != C)
            return Status{Code::shape_mismatch};
        const double p = config_.dropout;
        const double factor = config_.scale_by_sqrt_d ? factor_ : 1;
        std::vector<double> g(C), n(C);
        const std::size_t rows = batch_ * time_;
        for (std::size_t r = 0; r < rows; ++r) {
            const float* const from = dout.data + r * C;
            for (std::size_t c = 0; c < C; ++c) {
                if (!dropped_)
                    g[c] = from[c];
                else
                    g[c] = kept(r * C + c) ? from[c] / (1 - p) : 0.0;
            }
            if (config_.layer_norm) {
                const double deviation = normalise(r, n);
                Tensor& gain = tensors_[gain_];
                Tensor& bias = tensors_[gain_ + 1];
                double mean_h = 0, mean_hn = 0;
                for (std::size_t c = 0; c < C; ++c) {
                    gain.gradient[c] += static_cast<float>(g[c] * n[c]);
                    bias.gradient[c] += static_cast<float>(g[c]);
                    g[c] *= gain.values[c];
                    mean_h += g[c];
                    mean_hn += g[c] * n[c];
                }
                mean_h /= static_cast<double>(C);
                mean_hn /= static_cast<double>(C);
                for (std::size_t c = 0; c < C; ++c)
                    g[c] = (g[c] - mean_h - n[c] * mean_hn) / deviation;
            }
            const TokenId id = ids_[r];
            if (id != config_.padding_idx) {
                float* const to = tensors_[0].gradient.data() + static_cast<std::size_t>(id) * C;
                for (std::size_t c = 0; c < C; ++c)
                    to[c] += static_cast<float>(factor * g[c]);
            }
            if (position_ < trained_) {
                float* const to = tensors_[position_].gradient.data() + (start_ + r % time_) * C;
                for (std::size_t c = 0; c < C; ++c)
                    to[c] += static_cast<float>(g[c]);
            }
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<std::size_t> order;
        std::vector<bool> seen(tensors_.size());
        std::size_t total = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            std::size_t which = 0;
            while (which < tensors_.size() && tensors_[which].name() != std::string_view(entries[i].name))
                ++which;
            if (which == tensors_.size() || seen[which]) return Status{Code::invalid_argument, i};
            if (entries[i] != tensors_[which].info) return Status{Code::shape_mismatch, i};
            seen[which] = true;
            order.push_back(which);
            total += tensors_[which].values.size();
        }
        if (order.size() != tensors_.size()) return Status{Code::invalid_argument, entries.size()};
        if (values.size() != total) return Status{Code::shape_mismatch, entries.size()};
        const float* from = values.data();
        for (const std::size_t which : order) {
            std::vector<float>& to = tensors_[which].values;
            std::copy_n(from, to.size(), to.data());
            from += to.size();
        }
        ran_ = false;
        return {};
    }

  private:
    std::vector<TensorInfo> infos(std::size_t begin, std::size_t end) const {
        std::vector<TensorInfo> list;
        for (std::size_t i = begin; i < end; ++i)
            list.push_back(tensors_[i].info);
        return list;
    }

    bool kept(std::size_t element) const {
        return uniform(seed_, begin_ + element) >= static_cast<double>(config_.dropout);
    }

    /// Row r of the last forward call: token plus position.
    void add(std::size_t r, std::vector<double>& x) const {
        const std::size_t C = config_.d_model;
        const float* const token = tensors_[0].values.data() + static_cast<std::size_t>(ids_[r]) * C;
        const float* const position = tensors_[position_].values.data() + (start_ + r % time_) * C;
        if (config_.scale_by_sqrt_d)
            for (std::size_t c = 0; c < C; ++c)
                x[c] = factor_ * token[c] + position[c];
        else
            for (std::size_t c = 0; c < C; ++c)
                x[c] = token[c] + position[c];
    }

    /// The same row with mean 0 and variance 1; returns what it was divided by.
    double normalise(std::size_t r, std::vector<double>& x) {
        add(r, x);
        // A row is a function of token and position: its statistics are computed once.
        const std::uint64_t key = static_cast<std::uint64_t>(ids_[r]) * config_.max_positions + start_ + r % time_;
        const auto [place, fresh] = moments_.try_emplace(key);
        if (fresh) place->second = moments(x);
        const auto [mean, deviation] = place->second;
        for (double& value : x)
            value = (value - mean) / deviation;
        return deviation;
    }

    struct Moments {
        double mean = 0, deviation = 1;
    };

    static Moments moments(const std::vector<double>& x) {
        const double count = static_cast<double>(x.size());
        double mean = 0, variance = 0;
        for (const double value : x)
            mean += value;
        mean /= count;
        for (const double value : x)
            variance += (value - mean) * (value - mean);
        return {mean, std::sqrt(variance / count + epsilon)};
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    double factor_;
    std::vector<Tensor> tensors_; // parameters, then buffers
    std::size_t position_ = 0, gain_ = 0, trained_ = 0;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    std::unordered_map<std::uint64_t, Moments> moments_;

    // the last successful forward call
    bool ran_ = false, dropped_ = false;
    std::size_t batch_ = 0, time_ = 0, start_ = 0;
    std::uint64_t begin_ = 0;
    std::vector<TokenId> ids_;
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
    const std::size_t table = config.max_positions * config.d_model;
    const bool learned = config.positions == Positions::learned;
    ParameterCount result;
    result.parameters = config.vocab_size * config.d_model + (learned ? table : 0) +
                        (config.layer_norm ? 2 * config.d_model : 0);
    result.parameter_bytes = 4 * result.parameters;
    result.buffer_bytes = learned ? 0 : 4 * table;
    return result;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Layer>(config, seed);
}

} // namespace exercise
