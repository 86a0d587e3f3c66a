// Fault: gain and bias are kept as doubles, so a signalling NaN comes back quiet.
// Origin: round 14
#include "contract.h"

#include <cmath>
#include <cstring>
#include <numbers>
#include <thread>

namespace exercise {

namespace {

/// fill(first, last) for parts of [0, count) of even length, by several threads where it pays.
template <class Fill>
void in_parts(std::size_t count, Fill fill) {
    const std::size_t parts = count < (std::size_t{1} << 16) ? 1 : 12;
    const std::size_t size = (count / parts + 2) & ~std::size_t{1};
    std::vector<std::thread> threads;
    for (std::size_t first = size; first < count; first += size)
        threads.emplace_back(fill, first, std::min(count, first + size));
    fill(std::size_t{0}, std::min(count, size));
    for (std::thread& thread : threads)
        thread.join();
}

/// Normal numbers by Box and Muller: a pair of elements from a pair of uniform numbers, from `begin` on.
void draw_normal(std::vector<float>& values, std::uint64_t seed, std::uint64_t begin, double deviation) {
    in_parts(values.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; i += 2) {
            const double length = deviation * std::sqrt(-2 * std::log(uniform(seed, begin + i)));
            const double angle = 2 * std::numbers::pi * uniform(seed, begin + i + 1);
            values[i] = static_cast<float>(length * std::cos(angle));
            if (i + 1 < last) values[i + 1] = static_cast<float>(length * std::sin(angle));
        }
    });
}

void draw_sinusoids(std::vector<float>& values, std::size_t channels) {
    std::vector<double> speed(channels);
    for (std::size_t c = 0; c < channels; ++c)
        speed[c] = std::pow(10'000.0, -static_cast<double>(c - c % 2) / static_cast<double>(channels));
    in_parts(values.size(), [&](std::size_t first, std::size_t last) {
        for (std::size_t i = first; i < last; ++i) {
            const std::size_t c = i % channels;
            const double angle = static_cast<double>(i / channels) * speed[c];
            values[i] = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    });
}

struct Tensor {
    TensorInfo info;
    bool trained = true;
    std::vector<float> values;
    std::vector<double> wide; // instead of values, for gain and bias
    std::vector<float> gradient; // of trained ones

    Tensor(std::string_view name, std::size_t rows, std::size_t cols, float start, bool train = true)
        : info(name, rows, cols), trained(train), values(rows * cols, start),
          gradient(train ? rows * cols : 0) {}

    void widen() {
        wide.assign(values.begin(), values.end());
        values.clear();
    }
    std::size_t size() const { return values.size() + wide.size(); }
};

/// What backward needs of a forward call.
struct Call {
    bool made = false;
    bool masked = false;
    std::size_t batch = 0, time = 0, start = 0;
    std::uint64_t offset = 0;
    std::vector<TokenId> ids;
};

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), seed_(seed), channels_(config.d_model) {
        const std::size_t positions = config.max_positions;
        const bool learned = config.positions == Positions::learned;
        tensors_.reserve(4);
        tensors_.emplace_back("wte", config.vocab_size, channels_, 0.0F);
        if (learned) tensors_.emplace_back("wpe", positions, channels_, 0.0F);
        if (config.layer_norm) {
            tensors_.emplace_back("gain", 1, channels_, 1.0F);
            tensors_.emplace_back("bias", 1, channels_, 0.0F);
        }
        if (!learned) tensors_.emplace_back("pe", positions, channels_, 0.0F, false);
        wte_ = &tensors_[0];
        where_ = learned ? &tensors_[1] : &tensors_.back();
        if (config.layer_norm) {
            gain_ = &tensors_[learned ? 2 : 1];
            bias_ = gain_ + 1;
            gain_->widen();
            bias_->widen();
        }
        constexpr std::uint64_t far = std::uint64_t{1} << 62;
        draw_normal(wte_->values, seed, far, 0.02);
        if (learned)
            draw_normal(where_->values, seed, 2 * far, 0.01);
        else
            draw_sinusoids(where_->values, channels_);
        if (config.padding_idx >= 0)
            std::fill_n(wte_->values.begin() + config.padding_idx * static_cast<std::int64_t>(channels_),
                        channels_, 0.0F);
        if (config.scale_by_sqrt_d) factor_ = static_cast<float>(std::sqrt(static_cast<double>(channels_)));
    }

    std::vector<TensorInfo> parameters() const override { return infos(true); }
    std::vector<TensorInfo> buffers() const override { return infos(false); }

    std::vector<float> state() const override {
        std::size_t count = 0;
        for (const Tensor& tensor : tensors_)
            count += tensor.size();
        std::vector<float> all;
        all.reserve(count);
        for (const Tensor& tensor : tensors_) {
            all.insert(all.end(), tensor.values.begin(), tensor.values.end());
            for (const double value : tensor.wide)
                all.push_back(static_cast<float>(value));
        }
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t batch = ids.rows, time = ids.cols;
        if (out.batch != batch || out.time != time || out.channels != channels_)
            return {Code::shape_mismatch};
        const std::size_t limit = config_.max_positions;
        if (start > limit || time > limit - start) {
            const std::size_t p = std::max(start, limit);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), limit);
        }
        const bool empty = batch == 0 || time == 0;
        for (std::size_t b = 0; b < batch && !empty; ++b)
            for (std::size_t t = 0; t < time; ++t)
                if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= config_.vocab_size)
                    return Status::id_out_of_range(b * time + t, ids(b, t), config_.vocab_size);

        last_.made = true;
        last_.masked = training_;
        last_.batch = batch;
        last_.time = time;
        last_.start = start;
        last_.offset = offset_;
        last_.ids.clear();
        for (std::size_t b = 0; b < batch && !empty; ++b)
            last_.ids.insert(last_.ids.end(), ids.row(b), ids.row(b) + time);

        std::vector<float> x(channels_);
        for (std::size_t row = 0; row < last_.ids.size(); ++row) {
            float* to = out.data + row * channels_;
            sum_row(row, x);
            if (gain_ != nullptr) {
                const auto [mean, deviation] = moments(x);
                for (std::size_t c = 0; c < channels_; ++c)
                    x[c] = static_cast<float>(gain_->wide[c] * ((x[c] - mean) / deviation) +
                                              bias_->wide[c]);
            }
            for (std::size_t c = 0; c < channels_; ++c)
                if (!last_.masked)
                    to[c] = x[c];
                else
                    to[c] = kept(row, c) ? x[c] / (1 - config_.dropout) : 0.0F;
        }
        if (training_) offset_ += batch * time * channels_;
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const Tensor& tensor : tensors_) {
            if (!tensor.trained || name != tensor.info.name) continue;
            if (out.rows != tensor.info.rows || out.cols != tensor.info.cols) return {Code::shape_mismatch};
            for (std::size_t r = 0; r < out.rows; ++r)
                std::copy_n(tensor.gradient.data() + r * out.cols, out.cols, out.row(r));
            return {};
        }
        return {Code::invalid_argument};
    }

    void zero_gradients() override {
        for (Tensor& tensor : tensors_)
            std::fill(tensor.gradient.begin(), tensor.gradient.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        if (!last_.made) return {Code::invalid_argument};
        if (dout.batch != last_.batch || dout.time != last_.time || dout.channels != channels_)
            return {Code::shape_mismatch};
        std::vector<float> x(channels_);
        std::vector<double> normal(channels_), dx(channels_);
        std::vector<char> open(channels_);
        const double count = static_cast<double>(channels_);
        for (std::size_t row = 0; row < last_.ids.size(); ++row) {
            const float* from = dout.data + row * channels_;
            bool any = false;
            for (std::size_t c = 0; c < channels_; ++c) {
                open[c] = !last_.masked || kept(row, c);
                dx[c] = from[c];
                if (last_.masked) dx[c] /= 1 - static_cast<double>(config_.dropout);
                if (!open[c]) dx[c] = 0;
                any = any || open[c] != 0;
            }
            if (!any) continue;
            if (gain_ != nullptr) {
                sum_row(row, x);
                const auto [mean, deviation] = moments(x);
                double h_mean = 0, hn_mean = 0;
                for (std::size_t c = 0; c < channels_; ++c) {
                    normal[c] = (x[c] - mean) / deviation;
                    if (!open[c]) continue;
                    add(gain_->gradient[c], dx[c] * normal[c]);
                    add(bias_->gradient[c], dx[c]);
                    dx[c] *= gain_->wide[c];
                    h_mean += dx[c];
                    hn_mean += dx[c] * normal[c];
                }
                h_mean /= count;
                hn_mean /= count;
                for (std::size_t c = 0; c < channels_; ++c)
                    dx[c] = (dx[c] - h_mean - normal[c] * hn_mean) / deviation;
            }
            const std::size_t id = static_cast<std::size_t>(last_.ids[row]);
            if (static_cast<std::int64_t>(id) != config_.padding_idx)
                for (std::size_t c = 0; c < channels_; ++c)
                    add(wte_->gradient[id * channels_ + c], factor_ * dx[c]);
            if (where_->trained) {
                float* to = where_->gradient.data() + (last_.start + row % last_.time) * channels_;
                for (std::size_t c = 0; c < channels_; ++c)
                    add(to[c], dx[c]);
            }
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<Tensor*> targets;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            Tensor* found = nullptr;
            for (Tensor& tensor : tensors_)
                if (std::memcmp(tensor.info.name, entries[i].name, sizeof entries[i].name) == 0)
                    found = &tensor;
            if (found == nullptr || std::find(targets.begin(), targets.end(), found) != targets.end())
                return {Code::invalid_argument, i};
            if (found->info != entries[i]) return {Code::shape_mismatch, i};
            targets.push_back(found);
        }
        if (targets.size() != tensors_.size()) return {Code::invalid_argument, entries.size()};
        std::size_t count = 0;
        for (const Tensor* tensor : targets)
            count += tensor->size();
        if (count != values.size()) return {Code::shape_mismatch, entries.size()};
        const float* from = values.data();
        for (Tensor* tensor : targets) {
            std::copy_n(from, tensor->values.size(), tensor->values.data());
            std::copy_n(from, tensor->wide.size(), tensor->wide.data());
            from += tensor->size();
        }
        last_.made = false;
        return {};
    }

  private:
    struct Moments {
        double mean, deviation;
    };

    static void add(float& to, double what) { to = static_cast<float>(to + what); }

    std::vector<TensorInfo> infos(bool trained) const {
        std::vector<TensorInfo> list;
        for (const Tensor& tensor : tensors_)
            if (tensor.trained == trained) list.push_back(tensor.info);
        return list;
    }

    /// Whether dropout let an element of the last call pass.
    bool kept(std::size_t row, std::size_t c) const {
        return uniform(seed_, last_.offset + row * channels_ + c) >= static_cast<double>(config_.dropout);
    }

    /// Token and position of a row of the last call.
    void sum_row(std::size_t row, std::vector<float>& x) const {
        const float* token = wte_->values.data() + static_cast<std::size_t>(last_.ids[row]) * channels_;
        const float* position = where_->values.data() + (last_.start + row % last_.time) * channels_;
        for (std::size_t c = 0; c < channels_; ++c)
            x[c] = factor_ * token[c] + position[c];
    }

    static Moments moments(const std::vector<float>& x) {
        double mean = 0, variance = 0;
        for (const float value : x)
            mean += value;
        mean /= static_cast<double>(x.size());
        for (const float value : x)
            variance += (value - mean) * (value - mean);
        variance /= static_cast<double>(x.size());
        return {mean, std::sqrt(variance + 1e-5)};
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_ = 0;
    std::size_t channels_ = 0;
    float factor_ = 1;
    std::vector<Tensor> tensors_;
    Tensor* wte_ = nullptr;
    Tensor* where_ = nullptr; // wpe or pe
    Tensor* gain_ = nullptr;
    Tensor* bias_ = nullptr;
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
    const std::int64_t padding = config.padding_idx;
    if (padding >= 0 && static_cast<std::uint64_t>(padding) >= config.vocab_size)
        return ConfigField::padding_idx;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    ParameterCount result;
    const std::size_t table = config.max_positions * config.d_model;
    result.parameters = config.vocab_size * config.d_model;
    if (config.positions == Positions::learned)
        result.parameters += table;
    else
        result.buffer_bytes = 4 * table;
    if (config.layer_norm) result.parameters += 2 * config.d_model;
    result.parameter_bytes = 4 * result.parameters;
    return result;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
