// Fault: wpe is drawn from number 2^62 of the stream of wte, so it repeats wte of the seed + 2^62.
// Origin: round 22
#include "contract.h"

#include <cmath>
#include <numbers>
namespace exercise {
namespace {

constexpr double epsilon = 1e-5;

/// Where the numbers of wpe begin: no wte is so large.
constexpr std::uint64_t wpe_begin = std::uint64_t{1} << 62;

/// Numbers of N(0, deviation^2), two at a time (Box and Muller), from the generator's output `first` on.
void fill_normal(std::span<float> out, double deviation, std::uint64_t seed, std::uint64_t first) {
    for (std::size_t e = 0; e < out.size(); e += 2) {
        const double radius = deviation * std::sqrt(-2.0 * std::log(uniform(seed, first + e)));
        const double angle = 2.0 * std::numbers::pi * uniform(seed, first + e + 1);
        out[e] = static_cast<float>(radius * std::cos(angle));
        if (e + 1 < out.size()) out[e + 1] = static_cast<float>(radius * std::sin(angle));
    }
}

void fill_sinusoids(std::span<float> table, std::size_t rows, std::size_t cols) {
    std::vector<double> frequency((cols + 1) / 2);
    for (std::size_t i = 0; i < frequency.size(); ++i)
        frequency[i] = std::pow(10'000.0, -2.0 * static_cast<double>(i) / static_cast<double>(cols));
    for (std::size_t p = 0; p < rows; ++p)
        for (std::size_t c = 0; c < cols; c += 2) {
            const double phase = static_cast<double>(p) * frequency[c / 2];
            table[p * cols + c] = static_cast<float>(std::sin(phase));
            if (c + 1 < cols) table[p * cols + c + 1] = static_cast<float>(std::cos(phase));
        }
}

/// A parameter, or a buffer, which has no gradient.
struct Tensor {
    TensorInfo info;
    std::vector<float> values;
    std::vector<float> gradient;

    Tensor(std::string_view name, std::size_t rows, std::size_t cols) : info(name, rows, cols) {}
    std::string_view name() const { return info.name; }
};

/// What backward has to know of the last forward call.
struct Memory {
    bool valid = false;
    bool dropped = false; ///< the call was in training
    std::size_t batch = 0;
    std::size_t time = 0;
    std::size_t start = 0;
    std::uint64_t offset = 0;
    std::vector<TokenId> ids;
};

struct Moments {
    double mean;
    double scale; ///< 1 / sqrt(variance + epsilon)
};

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), seed_(seed), factor_(std::sqrt(static_cast<double>(config.d_model))),
          keep_(1.0 - static_cast<double>(config.dropout)) {
        const std::size_t V = config.vocab_size;
        const std::size_t P = config.max_positions;
        const std::size_t C = config.d_model;

        add("wte", V, C);
        fill_normal(tensors_[0].values, 0.02, seed, 0);
        if (config.padding_idx >= 0)
            std::fill_n(tensors_[0].values.data() + static_cast<std::size_t>(config.padding_idx) * C, C, 0.0F);
        if (config.positions == Positions::learned) {
            position_ = add("wpe", P, C);
            fill_normal(tensors_[position_].values, 0.01, seed, wpe_begin);
        }
        if (config.layer_norm) {
            gain_ = add("gain", 1, C);
            std::fill_n(tensors_[gain_].values.data(), C, 1.0F);
            bias_ = add("bias", 1, C);
        }
        trained_ = tensors_.size();
        for (Tensor& tensor : tensors_)
            tensor.gradient.resize(tensor.values.size());
        if (config.positions == Positions::sinusoidal) {
            position_ = add("pe", P, C);
            fill_sinusoids(tensors_[position_].values, P, C);
        }
    }

    std::vector<TensorInfo> parameters() const override { return infos(0, trained_); }
    std::vector<TensorInfo> buffers() const override { return infos(trained_, tensors_.size()); }

    std::vector<float> state() const override {
        std::vector<float> all;
        all.reserve(numbers());
        for (std::size_t k = 0; k < tensors_.size(); ++k) {
            const std::span<const float> values = values_of(k);
            all.insert(all.end(), values.begin(), values.end());
        }
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t B = ids.rows;
        const std::size_t T = ids.cols;
        const std::size_t C = config_.d_model;
        const std::size_t P = config_.max_positions;
        if (out.batch != B || out.time != T || out.channels != C) return refused(Code::shape_mismatch);
        if (start > P || T > P - start) {
            const std::size_t p = std::max(start, P);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
        }
        std::vector<TokenId> copy;
        if (T > 0) {
            copy.reserve(B * T);
            for (std::size_t b = 0; b < B; ++b)
                for (std::size_t t = 0; t < T; ++t) {
                    const TokenId id = ids(b, t);
                    if (id < 0 || static_cast<std::size_t>(id) >= config_.vocab_size)
                        return Status::id_out_of_range(b * T + t, id, config_.vocab_size);
                    copy.push_back(id);
                }
        }
        memory_ = Memory{true, training_, B, T, start, offset_, std::move(copy)};

        std::vector<float> x(C);
        for (std::size_t n = 0; n < memory_.ids.size(); ++n) {
            sum(n, x);
            if (config_.layer_norm) normalise(x);
            float* to = out.data + n * C;
            for (std::size_t c = 0; c < C; ++c)
                to[c] = !memory_.dropped ? x[c]
                        : kept(n * C + c) ? static_cast<float>(static_cast<double>(x[c]) / keep_)
                                          : 0.0F;
        }
        if (training_) offset_ += static_cast<std::uint64_t>(B) * T * C;
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (std::size_t k = 0; k < trained_; ++k) {
            const Tensor& tensor = tensors_[k];
            if (tensor.name() != name) continue;
            if (out.rows != tensor.info.rows || out.cols != tensor.info.cols)
                return refused(Code::shape_mismatch);
            for (std::size_t r = 0; r < out.rows; ++r)
                std::copy_n(tensor.gradient.data() + r * out.cols, out.cols, out.row(r));
            return {};
        }
        return refused(Code::invalid_argument);
    }

    void zero_gradients() override {
        for (Tensor& tensor : tensors_)
            std::fill(tensor.gradient.begin(), tensor.gradient.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        const std::size_t C = config_.d_model;
        if (!memory_.valid) return refused(Code::invalid_argument);
        if (dout.batch != memory_.batch || dout.time != memory_.time || dout.channels != C)
            return refused(Code::shape_mismatch);

        std::vector<float> x(C);
        std::vector<double> d(C); // the gradient of the row, from out back to x
        std::vector<char> passes(C);
        for (std::size_t n = 0; n < memory_.ids.size(); ++n) {
            bool any = false;
            for (std::size_t c = 0; c < C; ++c) {
                passes[c] = !memory_.dropped || kept(n * C + c);
                any = any || passes[c];
                d[c] = !passes[c]         ? 0.0
                       : memory_.dropped ? static_cast<double>(dout.data[n * C + c]) / keep_
                                         : static_cast<double>(dout.data[n * C + c]);
            }
            if (!any) continue;
            if (config_.layer_norm) {
                sum(n, x);
                normalise_backward(x, passes, d);
            }
            const TokenId id = memory_.ids[n];
            if (id != config_.padding_idx) {
                const double factor = config_.scale_by_sqrt_d ? factor_ : 1.0;
                float* to = tensors_[0].gradient.data() + static_cast<std::size_t>(id) * C;
                for (std::size_t c = 0; c < C; ++c)
                    to[c] = static_cast<float>(to[c] + factor * d[c]);
            }
            if (config_.positions == Positions::learned) {
                float* to = tensors_[position_].gradient.data() + (memory_.start + n % memory_.time) * C;
                for (std::size_t c = 0; c < C; ++c)
                    to[c] = static_cast<float>(to[c] + d[c]);
            }
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<char> seen(tensors_.size(), 0);
        std::vector<std::size_t> order;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            std::size_t k = 0;
            while (k < tensors_.size() && tensors_[k].name() != std::string_view(entries[i].name))
                ++k;
            if (k == tensors_.size() || seen[k]) return refused(Code::invalid_argument, i);
            if (entries[i].rows != tensors_[k].info.rows || entries[i].cols != tensors_[k].info.cols)
                return refused(Code::shape_mismatch, i);
            seen[k] = 1;
            order.push_back(k);
        }
        if (order.size() != tensors_.size()) return refused(Code::invalid_argument, entries.size());
        if (values.size() != numbers()) return refused(Code::shape_mismatch, entries.size());

        memory_ = {}; // its sums were those of the old tables
        const float* from = values.data();
        for (const std::size_t k : order) {
            const std::span<float> to = writable(k);
            std::copy_n(from, to.size(), to.data());
            from += to.size();
        }
        return {};
    }

  private:
    static Status refused(Code code, std::size_t where = 0) {
        Status status;
        status.code = code;
        status.where = where;
        return status;
    }

    std::size_t add(std::string_view name, std::size_t rows, std::size_t cols) {
        tensors_.emplace_back(name, rows, cols);
        tensors_.back().values.resize(rows * cols);
        return tensors_.size() - 1;
    }

    std::vector<TensorInfo> infos(std::size_t first, std::size_t end) const {
        std::vector<TensorInfo> all;
        for (std::size_t k = first; k < end; ++k)
            all.push_back(tensors_[k].info);
        return all;
    }

    std::size_t numbers() const {
        std::size_t count = 0;
        for (const Tensor& tensor : tensors_)
            count += tensor.info.rows * tensor.info.cols;
        return count;
    }

    std::span<const float> values_of(std::size_t k) const { return tensors_[k].values; }
    std::span<float> writable(std::size_t k) { return tensors_[k].values; }

    bool kept(std::size_t e) const {
        return uniform(seed_, memory_.offset + e) >= static_cast<double>(config_.dropout);
    }

    /// Token and position of row n of the last forward call.
    void sum(std::size_t n, std::vector<float>& x) const {
        const std::size_t C = config_.d_model;
        const float* token = tensors_[0].values.data() + static_cast<std::size_t>(memory_.ids[n]) * C;
        const float* position = values_of(position_).data() + (memory_.start + n % memory_.time) * C;
        for (std::size_t c = 0; c < C; ++c)
            x[c] = config_.scale_by_sqrt_d
                       ? static_cast<float>(factor_ * static_cast<double>(token[c]) + static_cast<double>(position[c]))
                       : token[c] + position[c];
    }

    static Moments moments(const std::vector<float>& x) {
        double mean = 0;
        for (const float value : x)
            mean += value;
        mean /= static_cast<double>(x.size());
        double variance = 0;
        for (const float value : x)
            variance += (value - mean) * (value - mean);
        variance /= static_cast<double>(x.size());
        return {mean, 1.0 / std::sqrt(variance + epsilon)};
    }

    void normalise(std::vector<float>& x) const {
        const Moments m = moments(x);
        const std::vector<float>& gain = tensors_[gain_].values;
        const std::vector<float>& bias = tensors_[bias_].values;
        for (std::size_t c = 0; c < x.size(); ++c)
            x[c] = static_cast<float>(gain[c] * ((x[c] - m.mean) * m.scale) + bias[c]);
    }

    /// Turns d from the gradient of y into that of x. What was dropped adds nothing to any sum.
    void normalise_backward(const std::vector<float>& x, const std::vector<char>& passes, std::vector<double>& d) {
        const Moments m = moments(x);
        const std::vector<float>& gain = tensors_[gain_].values;
        std::vector<float>& dgain = tensors_[gain_].gradient;
        std::vector<float>& dbias = tensors_[bias_].gradient;
        double mean_h = 0;
        double mean_hn = 0;
        for (std::size_t c = 0; c < x.size(); ++c) {
            if (!passes[c]) continue;
            const double normal = (x[c] - m.mean) * m.scale;
            dgain[c] = static_cast<float>(dgain[c] + d[c] * normal);
            dbias[c] = static_cast<float>(dbias[c] + d[c]);
            d[c] *= gain[c];
            mean_h += d[c];
            mean_hn += d[c] * normal;
        }
        mean_h /= static_cast<double>(x.size());
        mean_hn /= static_cast<double>(x.size());
        for (std::size_t c = 0; c < x.size(); ++c)
            d[c] = (d[c] - mean_h - (x[c] - m.mean) * m.scale * mean_hn) * m.scale;
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    double factor_;
    double keep_;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    std::vector<Tensor> tensors_; ///< parameters, then buffers
    std::size_t trained_ = 0;     ///< how many of them are parameters
    std::size_t position_ = 0;
    std::size_t gain_ = 0;
    std::size_t bias_ = 0;
    Memory memory_;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    if (config.vocab_size == 0) return ConfigField::vocab_size;
    if (config.d_model == 0) return ConfigField::d_model;
    if (config.max_positions == 0) return ConfigField::max_positions;
    if (!(config.dropout >= 0.0F && config.dropout <= 1.0F)) return ConfigField::dropout;
    if (config.positions != Positions::learned && config.positions != Positions::sinusoidal)
        return ConfigField::positions;
    if (config.padding_idx >= 0 && static_cast<std::size_t>(config.padding_idx) >= config.vocab_size)
        return ConfigField::padding_idx;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    const std::size_t table = config.max_positions * config.d_model;
    const bool learned = config.positions == Positions::learned;
    ParameterCount result;
    result.parameters = config.vocab_size * config.d_model;
    if (learned) result.parameters += table;
    if (config.layer_norm) result.parameters += 2 * config.d_model;
    result.parameter_bytes = 4 * result.parameters;
    result.buffer_bytes = learned ? 0 : 4 * table;
    return result;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
