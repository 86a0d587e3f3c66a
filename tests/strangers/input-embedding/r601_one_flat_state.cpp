// right: all numbers lie in ONE vector in the order of state(), all gradients in another; backward computes sums, statistics and mask again from ids, start, mode and offset of its call, in double
#include "contract.h"

#include <array>
#include <cmath>
#include <numbers>
#include <thread>

namespace exercise {
namespace {

std::uint64_t scramble(std::uint64_t z) {
    z = (z ^ (z >> 33)) * 0xFF51AFD7ED558CCDu;
    z = (z ^ (z >> 33)) * 0xC4CEB9FE1A85EC53u;
    return z ^ (z >> 33);
}

/// Pairs `first` to `last` of the normal numbers of one table.
void draw_pairs(std::uint64_t key, double deviation, std::span<float> values, std::size_t first,
                std::size_t last) {
    for (std::size_t k = first; k < last; ++k) {
        const double radius = deviation * std::sqrt(-2.0 * std::log(uniform(key, 2 * k)));
        const double angle = 2.0 * std::numbers::pi * uniform(key, 2 * k + 1);
        values[2 * k] = static_cast<float>(radius * std::cos(angle));
        if (2 * k + 1 < values.size()) values[2 * k + 1] = static_cast<float>(radius * std::sin(angle));
    }
}

void draw(std::uint64_t key, double deviation, std::span<float> values) {
    const std::size_t pairs = (values.size() + 1) / 2;
    constexpr std::size_t crew = 4;
    if (pairs < 100'000) return draw_pairs(key, deviation, values, 0, pairs);
    std::array<std::thread, crew> threads;
    for (std::size_t k = 0; k < crew; ++k)
        threads[k] = std::thread(draw_pairs, key, deviation, values, pairs * k / crew, pairs * (k + 1) / crew);
    for (std::thread& thread : threads)
        thread.join();
}

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), channels_(config.d_model), seed_(seed),
          factor_(config.scale_by_sqrt_d ? std::sqrt(static_cast<double>(config.d_model)) : 1.0) {
        const bool learned = config.positions == Positions::learned;
        tensors_.emplace_back("wte", config.vocab_size, channels_);
        if (learned) tensors_.emplace_back("wpe", config.max_positions, channels_);
        if (config.layer_norm) {
            tensors_.emplace_back("gain", 1, channels_);
            tensors_.emplace_back("bias", 1, channels_);
        }
        trained_ = tensors_.size();
        if (!learned) tensors_.emplace_back("pe", config.max_positions, channels_);

        std::size_t total = 0;
        for (const TensorInfo& tensor : tensors_) {
            begins_.push_back(total);
            total += tensor.rows * tensor.cols;
        }
        begins_.push_back(total);
        values_.resize(total);
        gradients_.resize(begins_[trained_]);
        positions_ = begins_[learned ? 1 : trained_];
        gain_ = config.layer_norm ? begins_[learned ? 2 : 1] : 0;
        bias_ = gain_ + channels_;

        draw(scramble(seed ^ 0x746F6B656E73u), 0.02, part(0));
        if (config.padding_idx >= 0)
            std::fill_n(values_.begin() + config.padding_idx * static_cast<std::ptrdiff_t>(channels_),
                        channels_, 0.0F);
        if (learned)
            draw(scramble(scramble(seed + 0x706F73u) ^ 0x9E37u), 0.01, part(1));
        else
            fill_sinusoidal();
        if (config.layer_norm) std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(gain_), channels_, 1.0F);
    }

    std::vector<TensorInfo> parameters() const override {
        return {tensors_.begin(), tensors_.begin() + static_cast<std::ptrdiff_t>(trained_)};
    }
    std::vector<TensorInfo> buffers() const override {
        return {tensors_.begin() + static_cast<std::ptrdiff_t>(trained_), tensors_.end()};
    }
    std::vector<float> state() const override { return values_; }
    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        if (out.batch != ids.rows || out.time != ids.cols || out.channels != channels_)
            return Status{Code::shape_mismatch};
        const std::size_t limit = config_.max_positions;
        if (start > limit || ids.cols > limit - start) {
            const std::size_t p = std::max(start, limit);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), limit);
        }
        for (std::size_t b = 0; ids.cols > 0 && b < ids.rows; ++b)
            for (std::size_t t = 0; t < ids.cols; ++t)
                if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= config_.vocab_size)
                    return Status::id_out_of_range(b * ids.cols + t, ids(b, t), config_.vocab_size);

        Call call;
        call.batch = ids.rows;
        call.time = ids.cols;
        call.start = start;
        call.training = training_;
        call.offset = offset_;
        if (ids.cols > 0)
            for (std::size_t b = 0; b < ids.rows; ++b)
                call.ids.insert(call.ids.end(), ids.row(b), ids.row(b) + ids.cols);

        std::vector<float> x(channels_);
        for (std::size_t r = 0; r < call.ids.size(); ++r) {
            sum_row(call, r, x);
            float* to = out.data + r * channels_;
            if (config_.layer_norm) {
                const Moments moments = measure(x);
                for (std::size_t c = 0; c < channels_; ++c)
                    x[c] = static_cast<float>(values_[gain_ + c] * ((x[c] - moments.mean) / moments.root) +
                                              values_[bias_ + c]);
            }
            for (std::size_t c = 0; c < channels_; ++c) {
                if (!call.training)
                    to[c] = x[c];
                else if (kept(call, r, c))
                    to[c] = static_cast<float>(x[c] / (1.0 - static_cast<double>(config_.dropout)));
                else
                    to[c] = 0.0F;
            }
        }
        if (training_) offset_ += call.ids.size() * channels_;
        last_ = std::move(call);
        has_last_ = true;
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (std::size_t k = 0; k < trained_; ++k) {
            if (name != std::string_view(tensors_[k].name)) continue;
            if (out.rows != tensors_[k].rows || out.cols != tensors_[k].cols)
                return Status{Code::shape_mismatch};
            for (std::size_t r = 0; r < out.rows; ++r)
                std::copy_n(gradients_.data() + begins_[k] + r * out.cols, out.cols, out.row(r));
            return {};
        }
        return Status{Code::invalid_argument};
    }

    void zero_gradients() override { std::fill(gradients_.begin(), gradients_.end(), 0.0F); }

    Status backward(Tensor3<const float> dout) override {
        if (!has_last_) return Status{Code::invalid_argument};
        const Call& call = last_;
        if (dout.batch != call.batch || dout.time != call.time || dout.channels != channels_)
            return Status{Code::shape_mismatch};

        std::vector<float> x(channels_);
        std::vector<double> dx(channels_);
        std::vector<double> dgain(config_.layer_norm ? channels_ : 0);
        std::vector<double> dbias(dgain.size());
        for (std::size_t r = 0; r < call.ids.size(); ++r) {
            bool any = false;
            std::vector<char>& passes = passes_;
            passes.assign(channels_, 1);
            for (std::size_t c = 0; c < channels_; ++c) {
                if (call.training) passes[c] = kept(call, r, c);
                any = any || passes[c];
                dx[c] = 0.0;
                if (passes[c]) dx[c] = dout.data[r * channels_ + c];
                if (passes[c] && call.training) dx[c] /= 1.0 - static_cast<double>(config_.dropout);
            }
            if (!any) continue;
            if (config_.layer_norm) {
                sum_row(call, r, x);
                const Moments moments = measure(x);
                double mean_h = 0;
                double mean_hn = 0;
                for (std::size_t c = 0; c < channels_; ++c) {
                    if (!passes[c]) continue;
                    const double n = (x[c] - moments.mean) / moments.root;
                    dgain[c] += dx[c] * n;
                    dbias[c] += dx[c];
                    dx[c] *= values_[gain_ + c];
                    mean_h += dx[c];
                    mean_hn += dx[c] * n;
                }
                mean_h /= static_cast<double>(channels_);
                mean_hn /= static_cast<double>(channels_);
                for (std::size_t c = 0; c < channels_; ++c)
                    dx[c] = (dx[c] - mean_h - (x[c] - moments.mean) / moments.root * mean_hn) / moments.root;
            }
            if (call.ids[r] != config_.padding_idx) {
                float* token = gradients_.data() + static_cast<std::size_t>(call.ids[r]) * channels_;
                for (std::size_t c = 0; c < channels_; ++c)
                    token[c] = static_cast<float>(token[c] + factor_ * dx[c]);
            }
            if (config_.positions == Positions::learned) {
                float* place = gradients_.data() + positions_ + position(call, r) * channels_;
                for (std::size_t c = 0; c < channels_; ++c)
                    place[c] = static_cast<float>(place[c] + dx[c]);
            }
        }
        for (std::size_t c = 0; c < dgain.size(); ++c) {
            gradients_[gain_ + c] = static_cast<float>(gradients_[gain_ + c] + dgain[c]);
            gradients_[bias_ + c] = static_cast<float>(gradients_[bias_ + c] + dbias[c]);
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            std::size_t k = 0;
            while (k < tensors_.size() && !std::equal(std::begin(entries[i].name), std::end(entries[i].name),
                                                      std::begin(tensors_[k].name)))
                ++k;
            if (k == tensors_.size() || std::find(order.begin(), order.end(), k) != order.end())
                return Status{Code::invalid_argument, i};
            if (!(entries[i] == tensors_[k])) return Status{Code::shape_mismatch, i};
            order.push_back(k);
        }
        if (order.size() != tensors_.size()) return Status{Code::invalid_argument, entries.size()};
        if (values.size() != values_.size()) return Status{Code::shape_mismatch, entries.size()};
        const float* from = values.data();
        for (const std::size_t k : order) {
            std::copy(from, from + part(k).size(), part(k).data());
            from += part(k).size();
        }
        has_last_ = false;
        return {};
    }

  private:
    struct Call {
        std::size_t batch = 0;
        std::size_t time = 0;
        std::size_t start = 0;
        std::vector<TokenId> ids;
        bool training = false;
        std::uint64_t offset = 0;
    };
    struct Moments {
        double mean = 0;
        double root = 0;
    };

    std::span<float> part(std::size_t k) {
        return std::span(values_).subspan(begins_[k], begins_[k + 1] - begins_[k]);
    }

    void fill_sinusoidal() {
        for (std::size_t c = 0; c < channels_; ++c) {
            const double exponent = static_cast<double>(c / 2 * 2) / static_cast<double>(channels_);
            const double length = std::pow(10'000.0, exponent);
            for (std::size_t p = 0; p < config_.max_positions; ++p) {
                const double phase = static_cast<double>(p) / length;
                values_[positions_ + p * channels_ + c] =
                    static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
            }
        }
    }

    std::size_t position(const Call& call, std::size_t r) const { return call.start + r % call.time; }

    bool kept(const Call& call, std::size_t r, std::size_t c) const {
        return uniform(seed_, call.offset + r * channels_ + c) >= static_cast<double>(config_.dropout);
    }

    void sum_row(const Call& call, std::size_t r, std::vector<float>& x) const {
        const float* token = values_.data() + static_cast<std::size_t>(call.ids[r]) * channels_;
        const float* place = values_.data() + positions_ + position(call, r) * channels_;
        for (std::size_t c = 0; c < channels_; ++c)
            x[c] = config_.scale_by_sqrt_d ? static_cast<float>(factor_ * token[c] + place[c])
                                           : token[c] + place[c];
    }

    Moments measure(const std::vector<float>& x) const {
        const auto count = static_cast<double>(channels_);
        double sum = 0;
        for (const float value : x)
            sum += value;
        const double mean = sum / count;
        double squares = 0;
        for (const float value : x)
            squares += (value - mean) * (value - mean);
        return {mean, std::sqrt(squares / count + 1e-5)};
    }

    InputEmbeddingConfig config_;
    std::size_t channels_;
    std::uint64_t seed_;
    double factor_;
    std::vector<TensorInfo> tensors_; ///< parameters, then buffers
    std::size_t trained_ = 0;
    std::vector<std::size_t> begins_; ///< of the tensors in values_
    std::vector<float> values_;
    std::vector<float> gradients_;
    std::size_t positions_ = 0;
    std::size_t gain_ = 0;
    std::size_t bias_ = 0;
    std::vector<char> passes_;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    bool has_last_ = false;
    Call last_;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    if (config.vocab_size == 0) return ConfigField::vocab_size;
    if (config.d_model == 0) return ConfigField::d_model;
    if (config.max_positions == 0) return ConfigField::max_positions;
    if (!(config.dropout >= 0.0F && config.dropout <= 1.0F)) return ConfigField::dropout;
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
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
