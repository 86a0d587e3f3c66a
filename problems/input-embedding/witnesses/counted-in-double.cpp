// Fault: count works in double, which rounds numbers of parameters and bytes above 2^53.
// Origin: round 20
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <numbers>
#include <span>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace exercise {
namespace {

/// Values of N(0, deviation^2). Elements 2k and 2k + 1 come from draws 2k and 2k + 1 of `stream`.
std::vector<float> normal_table(std::size_t count, double deviation, std::uint64_t stream) {
    std::vector<float> table(count);
    const auto fill = [&](std::size_t begin, std::size_t end) { // begin is even
        for (std::size_t e = begin; e < end; e += 2) {
            const double radius = deviation * std::sqrt(-2.0 * std::log(uniform(stream, e)));
            const double angle = 2.0 * std::numbers::pi * uniform(stream, e + 1);
            table[e] = static_cast<float>(radius * std::cos(angle));
            if (e + 1 < end) {
                table[e + 1] = static_cast<float>(radius * std::sin(angle));
            }
        }
    };
    if (count < (std::size_t{1} << 18)) {
        fill(0, count);
        return table;
    }
    constexpr std::size_t threads = 8;
    const std::size_t share = count / threads / 2 * 2;
    std::vector<std::jthread> helpers;
    for (std::size_t t = 0; t < threads; ++t) {
        helpers.emplace_back(fill, t * share, t + 1 == threads ? count : (t + 1) * share);
    }
    helpers.clear();
    return table;
}

std::vector<float> sinusoids(std::size_t positions, std::size_t channels) {
    std::vector<float> table(positions * channels);
    for (std::size_t c = 0; c < channels; ++c) {
        const std::size_t pair = c / 2 * 2;
        const double frequency =
            std::pow(10'000.0, -static_cast<double>(pair) / static_cast<double>(channels));
        for (std::size_t p = 0; p < positions; ++p) {
            const double angle = static_cast<double>(p) * frequency;
            table[p * channels + c] = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
    return table;
}

struct Tensor {
    TensorInfo info;
    std::vector<float> values;
    std::vector<float> gradient; ///< none for a buffer
};

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed) : config_(config), seed_(seed) {
        const std::size_t channels = config.d_model;
        const std::size_t positions = config.max_positions;
        const bool learned = config.positions == Positions::learned;
        if (config.scale_by_sqrt_d) {
            factor_ = std::sqrt(static_cast<double>(channels));
        }
        add({"wte", config.vocab_size, channels},
            normal_table(config.vocab_size * channels, 0.02, random_bits(seed, 0)), true);
        if (config.padding_idx >= 0) {
            std::fill_n(tensors_[0].values.begin() +
                            static_cast<std::ptrdiff_t>(static_cast<std::size_t>(config.padding_idx) * channels),
                        channels, 0.0F);
        }
        if (learned) {
            position_ = add({"wpe", positions, channels},
                            normal_table(positions * channels, 0.01, random_bits(seed, 1)), true);
        }
        if (config.layer_norm) {
            gain_ = add({"gain", 1, channels}, std::vector<float>(channels, 1.0F), true);
            add({"bias", 1, channels}, std::vector<float>(channels, 0.0F), true);
        }
        parameter_count_ = tensors_.size();
        if (!learned) {
            position_ = add({"pe", positions, channels}, sinusoids(positions, channels), false);
        }
    }

    std::vector<TensorInfo> parameters() const override { return infos(0, parameter_count_); }

    std::vector<TensorInfo> buffers() const override { return infos(parameter_count_, tensors_.size()); }

    std::vector<float> state() const override {
        std::size_t count = 0;
        for (const Tensor& tensor : tensors_) {
            count += tensor.values.size();
        }
        std::vector<float> all;
        all.reserve(count);
        for (const Tensor& tensor : tensors_) {
            all.insert(all.end(), tensor.values.begin(), tensor.values.end());
        }
        return all;
    }

    void set_training(bool training) override { training_ = training; }

    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t channels = config_.d_model;
        const std::size_t limit = config_.max_positions;
        if (out.batch != ids.rows || out.time != ids.cols || out.channels != channels) {
            return {Code::shape_mismatch};
        }
        if (start > limit || ids.cols > limit - start) {
            const std::size_t position = std::max(start, limit);
            return Status::position_out_of_range(position - start, static_cast<std::int64_t>(position), limit);
        }
        const std::size_t tokens = ids.rows * ids.cols;
        if (tokens != 0) {
            for (std::size_t b = 0; b < ids.rows; ++b) {
                for (std::size_t t = 0; t < ids.cols; ++t) {
                    const TokenId id = ids(b, t);
                    if (id < 0 || static_cast<std::size_t>(id) >= config_.vocab_size) {
                        return Status::id_out_of_range(b * ids.cols + t, id, config_.vocab_size);
                    }
                }
            }
        }
        ids_.resize(tokens);
        for (std::size_t b = 0; tokens != 0 && b < ids.rows; ++b) {
            std::copy_n(ids.row(b), ids.cols, ids_.begin() + static_cast<std::ptrdiff_t>(b * ids.cols));
        }
        has_forward_ = true;
        batch_ = ids.rows;
        time_ = ids.cols;
        start_ = start;
        masked_ = training_;
        mask_offset_ = offset_;
        if (training_) {
            offset_ += tokens * channels;
        }

        Row row(channels);
        for (std::size_t i = 0; i < tokens; ++i) {
            sum_and_normalise(i, row);
            float* to = out.data + i * channels;
            for (std::size_t c = 0; c < channels; ++c) {
                double y = row.x[c];
                if (config_.layer_norm) {
                    y = static_cast<double>(gain()[c]) * row.n[c] + bias()[c];
                }
                to[c] = kept(i * channels + c) ? static_cast<float>(y / kept_share()) : 0.0F;
            }
        }
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        const std::size_t k = find(name);
        if (k >= parameter_count_) {
            return {Code::invalid_argument};
        }
        const Tensor& tensor = tensors_[k];
        if (out.rows != tensor.info.rows || out.cols != tensor.info.cols) {
            return {Code::shape_mismatch};
        }
        for (std::size_t r = 0; r < out.rows; ++r) {
            std::copy_n(tensor.gradient.data() + r * out.cols, out.cols, out.row(r));
        }
        return {};
    }

    void zero_gradients() override {
        for (Tensor& tensor : tensors_) {
            std::fill(tensor.gradient.begin(), tensor.gradient.end(), 0.0F);
        }
    }

    Status backward(Tensor3<const float> dout) override {
        if (!has_forward_) {
            return {Code::invalid_argument};
        }
        const std::size_t channels = config_.d_model;
        if (dout.batch != batch_ || dout.time != time_ || dout.channels != channels) {
            return {Code::shape_mismatch};
        }
        Row row(channels);
        std::vector<double> d(channels);
        for (std::size_t i = 0; i < ids_.size(); ++i) {
            const float* from = dout.data + i * channels;
            for (std::size_t c = 0; c < channels; ++c) {
                d[c] = kept(i * channels + c) ? from[c] / kept_share() : 0.0;
            }
            if (config_.layer_norm) {
                sum_and_normalise(i, row);
                through_layer_norm(i, row, d);
            }
            if (ids_[i] != config_.padding_idx) {
                float* to = tensors_[0].gradient.data() + static_cast<std::size_t>(ids_[i]) * channels;
                for (std::size_t c = 0; c < channels; ++c) {
                    to[c] = static_cast<float>(to[c] + factor_ * d[c]);
                }
            }
            if (position_ < parameter_count_) {
                float* to = tensors_[position_].gradient.data() + (start_ + i % time_) * channels;
                for (std::size_t c = 0; c < channels; ++c) {
                    to[c] = static_cast<float>(to[c] + d[c]);
                }
            }
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<bool> named(tensors_.size());
        std::vector<std::size_t> order;
        std::size_t count = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const std::size_t k = find(entries[i].name);
            if (k == tensors_.size() || named[k]) {
                return {Code::invalid_argument, i};
            }
            if (entries[i].rows != tensors_[k].info.rows || entries[i].cols != tensors_[k].info.cols) {
                return {Code::shape_mismatch, i};
            }
            named[k] = true;
            order.push_back(k);
            count += tensors_[k].values.size();
        }
        if (order.size() != tensors_.size()) {
            return {Code::invalid_argument, entries.size()};
        }
        if (values.size() != count) {
            return {Code::shape_mismatch, entries.size()};
        }
        const float* from = values.data();
        for (const std::size_t k : order) {
            std::copy_n(from, tensors_[k].values.size(), tensors_[k].values.begin());
            from += tensors_[k].values.size();
        }
        has_forward_ = false;
        return {};
    }

  private:
    /// What LayerNorm knows of a row.
    struct Row {
        explicit Row(std::size_t channels) : x(channels), n(channels) {}
        std::vector<double> x;
        std::vector<double> n; ///< normalised
        double root = 1;       ///< sqrt(variance + eps)
    };

    std::size_t add(const TensorInfo& info, std::vector<float> values, bool trained) {
        const std::size_t count = values.size();
        tensors_.push_back({info, std::move(values), std::vector<float>(trained ? count : 0)});
        return tensors_.size() - 1;
    }

    std::vector<TensorInfo> infos(std::size_t begin, std::size_t end) const {
        std::vector<TensorInfo> result;
        for (std::size_t k = begin; k < end; ++k) {
            result.push_back(tensors_[k].info);
        }
        return result;
    }

    /// The number of the tensor of this name, or how many there are.
    std::size_t find(std::string_view name) const {
        std::size_t k = 0;
        while (k < tensors_.size() && name != tensors_[k].info.name) {
            ++k;
        }
        return k;
    }

    const float* gain() const { return tensors_[gain_].values.data(); }
    const float* bias() const { return tensors_[gain_ + 1].values.data(); }

    /// Whether the last forward call kept its element e.
    bool kept(std::size_t e) const {
        return !masked_ || uniform(seed_, mask_offset_ + e) >= static_cast<double>(config_.dropout);
    }

    double kept_share() const { return masked_ ? 1.0 - static_cast<double>(config_.dropout) : 1.0; }

    /// Row i of the last forward call, before gain and bias.
    void sum_and_normalise(std::size_t i, Row& row) const {
        const std::size_t channels = config_.d_model;
        const float* token = tensors_[0].values.data() + static_cast<std::size_t>(ids_[i]) * channels;
        const float* position = tensors_[position_].values.data() + (start_ + i % time_) * channels;
        for (std::size_t c = 0; c < channels; ++c) {
            row.x[c] = config_.scale_by_sqrt_d ? factor_ * token[c] + position[c]
                                               : static_cast<double>(token[c] + position[c]);
        }
        if (!config_.layer_norm) {
            return;
        }
        const auto count = static_cast<double>(channels);
        double sum = 0;
        for (const double x : row.x) {
            sum += x;
        }
        const double mean = sum / count;
        double squares = 0;
        for (const double x : row.x) {
            squares += (x - mean) * (x - mean);
        }
        row.root = std::sqrt(squares / count + 1e-5);
        for (std::size_t c = 0; c < channels; ++c) {
            row.n[c] = (row.x[c] - mean) / row.root;
        }
    }

    /// Turns d, the gradient of a row after LayerNorm, into the one before it.
    void through_layer_norm(std::size_t i, const Row& row, std::vector<double>& d) {
        const std::size_t channels = config_.d_model;
        float* dgain = tensors_[gain_].gradient.data();
        float* dbias = tensors_[gain_ + 1].gradient.data();
        double mean = 0;
        double along = 0;
        for (std::size_t c = 0; c < channels; ++c) {
            if (!kept(i * channels + c)) {
                continue; // nothing passes
            }
            dgain[c] = static_cast<float>(dgain[c] + d[c] * row.n[c]);
            dbias[c] = static_cast<float>(dbias[c] + d[c]);
            d[c] *= gain()[c];
            mean += d[c];
            along += d[c] * row.n[c];
        }
        mean /= static_cast<double>(channels);
        along /= static_cast<double>(channels);
        for (std::size_t c = 0; c < channels; ++c) {
            d[c] = (d[c] - mean - row.n[c] * along) / row.root;
        }
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    double factor_ = 1;
    std::vector<Tensor> tensors_; ///< parameters, then buffers
    std::size_t parameter_count_ = 0;
    std::size_t position_ = 0; ///< number of wpe or pe
    std::size_t gain_ = 0;     ///< bias comes next
    bool training_ = true;
    std::uint64_t offset_ = 0;

    // The last successful forward call.
    bool has_forward_ = false;
    std::vector<TokenId> ids_;
    std::size_t batch_ = 0;
    std::size_t time_ = 0;
    std::size_t start_ = 0;
    bool masked_ = false;
    std::uint64_t mask_offset_ = 0;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    if (config.vocab_size == 0) {
        return ConfigField::vocab_size;
    }
    if (config.d_model == 0) {
        return ConfigField::d_model;
    }
    if (config.max_positions == 0) {
        return ConfigField::max_positions;
    }
    if (!(config.dropout >= 0.0F && config.dropout <= 1.0F)) {
        return ConfigField::dropout;
    }
    if (config.positions != Positions::learned && config.positions != Positions::sinusoidal) {
        return ConfigField::positions;
    }
    if (config.padding_idx >= 0 && static_cast<std::size_t>(config.padding_idx) >= config.vocab_size) {
        return ConfigField::padding_idx;
    }
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    const auto channels = static_cast<double>(config.d_model);
    const double table = static_cast<double>(config.max_positions) * channels;
    double parameters = static_cast<double>(config.vocab_size) * channels;
    ParameterCount result;
    if (config.positions == Positions::learned) {
        parameters += table;
    } else {
        result.buffer_bytes = 4 * static_cast<std::size_t>(table);
    }
    if (config.layer_norm) {
        parameters += 2 * channels;
    }
    result.parameters = static_cast<std::size_t>(parameters);
    result.parameter_bytes = 4 * result.parameters;
    return result;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) {
        return nullptr;
    }
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
