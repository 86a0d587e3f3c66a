// mistake: padding-row-starts-random
// says: You leave random numbers in row padding_idx of a new wte. It begins as zeros, and since it gets
//   no gradient it stays so.
// hint: Print row padding_idx of the state of a new module.
// symptom: Padding means something, at random.
// fails: a new module has the spread of GPT-2
#include "contract.h"

#include <cmath>
#include <numbers>
#include <optional>

namespace exercise {
namespace {
struct Tensor {
    TensorInfo info;
    std::vector<float> values;
    std::vector<double> gradient;

    Tensor(std::string_view name, std::size_t rows, std::size_t cols, float value = 0)
        : info(name, rows, cols), values(rows * cols, value), gradient(rows * cols) {}

    const float* row(std::size_t r) const { return values.data() + r * info.cols; }
    double* gradient_row(std::size_t r) { return gradient.data() + r * info.cols; }
    void fill_normal(double std, std::uint64_t stream) {
        for (std::size_t e = 0; e < values.size(); ++e) {
            const std::uint64_t element = random_bits(stream, e);
            const double radius = std::sqrt(-2 * std::log(uniform(element, 0)));
            const double angle = 2 * std::numbers::pi * uniform(element, 1);
            values[e] = static_cast<float>(std * radius * std::cos(angle));
        }
    }
    void fill_sinusoidal() {
        for (std::size_t p = 0; p < info.rows; ++p)
            for (std::size_t c = 0; c < info.cols; ++c) {
                const double exponent = static_cast<double>(c / 2 * 2) / static_cast<double>(info.cols);
                const double phase = static_cast<double>(p) / std::pow(10'000.0, exponent);
                values[p * info.cols + c] =
                    static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
            }
    }
};
struct Moments {
    double mean = 0;
    double inverse = 0;

    Moments(const float* x, std::size_t C) {
        for (std::size_t c = 0; c < C; ++c)
            mean += static_cast<double>(x[c]) / static_cast<double>(C);
        double variance = 0;
        for (std::size_t c = 0; c < C; ++c) {
            const double distance = static_cast<double>(x[c]) - mean;
            variance += distance * distance / static_cast<double>(C);
        }
        inverse = 1 / std::sqrt(variance + 1e-5);
    }
};
struct Call {
    std::size_t B = 0;
    std::size_t T = 0;
    std::size_t start = 0;
    std::vector<TokenId> ids;
    std::vector<float> x;
    bool drops = false;
    std::uint64_t offset = 0;
};

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), seed_(seed), wte_("wte", config.vocab_size, config.d_model),
          position_(learned() ? "wpe" : "pe", config.max_positions, config.d_model),
          gain_("gain", 1, config.d_model, 1), bias_("bias", 1, config.d_model) {
        // Streams of their own, unrelated to the one of dropout.
        wte_.fill_normal(0.02, random_bits(seed, ~std::uint64_t{0}));
        if (learned())
            position_.fill_normal(0.01, random_bits(seed, ~std::uint64_t{1}));
        else
            position_.fill_sinusoidal();
        trained_.push_back(&wte_);
        if (learned()) trained_.push_back(&position_);
        if (config.layer_norm) {
            trained_.push_back(&gain_);
            trained_.push_back(&bias_);
        }
        all_ = trained_;
        if (!learned()) all_.push_back(&position_);
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t B = ids.rows;
        const std::size_t T = ids.cols;
        const std::size_t C = config_.d_model;
        const std::size_t P = config_.max_positions;
        if (out.batch != B || out.time != T || out.channels != C) return {Code::shape_mismatch};
        if (start > P || T > P - start) {
            const std::size_t position = std::max(start, P);
            return Status::position_out_of_range(position - start, static_cast<std::int64_t>(position), P);
        }
        for (std::size_t b = 0; b < B; ++b)
            for (std::size_t t = 0; t < T; ++t)
                if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= config_.vocab_size)
                    return Status::id_out_of_range(b * T + t, ids(b, t), config_.vocab_size);

        Call call{B, T, start, {}, std::vector<float>(B * T * C), training_, offset_};
        for (std::size_t n = 0; n < B * T; ++n) {
            call.ids.push_back(ids(n / T, n % T));
            const float* token = wte_.row(static_cast<std::size_t>(call.ids[n]));
            const float* position = position_.row(start + n % T);
            float* x = call.x.data() + n * C;
            for (std::size_t c = 0; c < C; ++c)
                x[c] = factor() * token[c] + position[c];

            const Moments moments(x, C);
            for (std::size_t c = 0; c < C; ++c) {
                float y = x[c];
                if (config_.layer_norm) {
                    const double normal = (static_cast<double>(x[c]) - moments.mean) * moments.inverse;
                    y = static_cast<float>(static_cast<double>(gain_.values[c]) * normal +
                                           static_cast<double>(bias_.values[c]));
                }
                out.data[n * C + c] = dropped(call, n * C + c) ? 0.0F : y * kept_factor(call);
            }
        }
        if (training_) offset_ += B * T * C;
        last_ = std::move(call);
        return {};
    }

    Status backward(Tensor3<const float> dout) override {
        if (!last_) return {Code::invalid_argument};
        const Call& call = *last_;
        const std::size_t C = config_.d_model;
        if (dout.batch != call.B || dout.time != call.T || dout.channels != C) return {Code::shape_mismatch};

        std::vector<double> gradient(C);
        for (std::size_t n = 0; n < call.B * call.T; ++n) {
            for (std::size_t c = 0; c < C; ++c)
                gradient[c] =
                    dropped(call, n * C + c) ? 0.0 : dout.data[n * C + c] * double(kept_factor(call));
            if (config_.layer_norm) layer_norm_backward(call.x.data() + n * C, gradient);

            double* token = wte_.gradient_row(static_cast<std::size_t>(call.ids[n]));
            double* position = position_.gradient_row(call.start + n % call.T);
            for (std::size_t c = 0; c < C; ++c) {
                if (call.ids[n] != config_.padding_idx) token[c] += double(factor()) * gradient[c];
                position[c] += gradient[c];
            }
        }
        return {};
    }

    std::vector<TensorInfo> parameters() const override { return infos({trained_.begin(), trained_.end()}); }
    std::vector<TensorInfo> buffers() const override {
        return infos({all_.begin() + static_cast<std::ptrdiff_t>(trained_.size()), all_.end()});
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const Tensor* tensor : trained_) {
            if (tensor->info.name != name) continue;
            if (out.rows != tensor->info.rows || out.cols != tensor->info.cols) return {Code::shape_mismatch};
            for (std::size_t r = 0; r < out.rows; ++r)
                for (std::size_t c = 0; c < out.cols; ++c)
                    out(r, c) = static_cast<float>(tensor->gradient[r * out.cols + c]);
            return {};
        }
        return {Code::invalid_argument};
    }
    void zero_gradients() override {
        for (Tensor* tensor : trained_)
            std::fill(tensor->gradient.begin(), tensor->gradient.end(), 0.0);
    }

    std::vector<float> state() const override {
        std::vector<float> values;
        for (const Tensor* tensor : all_)
            values.insert(values.end(), tensor->values.begin(), tensor->values.end());
        return values;
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<Tensor*> targets;
        std::size_t total = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const auto found = std::find_if(all_.begin(), all_.end(), [&](const Tensor* tensor) {
                return std::string_view(tensor->info.name) == entries[i].name;
            });
            if (found == all_.end() || std::find(targets.begin(), targets.end(), *found) != targets.end())
                return {Code::invalid_argument, i};
            if ((*found)->info != entries[i]) return {Code::shape_mismatch, i};
            targets.push_back(*found);
            total += (*found)->values.size();
        }
        if (targets.size() != all_.size()) return {Code::invalid_argument, entries.size()};
        if (values.size() != total) return {Code::shape_mismatch, entries.size()};

        for (Tensor* tensor : targets) {
            std::copy_n(values.begin(), tensor->values.size(), tensor->values.begin());
            values = values.subspan(tensor->values.size());
        }
        last_.reset();
        return {};
    }

  private:
    bool learned() const { return config_.positions == Positions::learned; }
    float factor() const {
        return config_.scale_by_sqrt_d ? static_cast<float>(std::sqrt(static_cast<double>(config_.d_model)))
                                       : 1.0F;
    }
    bool dropped(const Call& call, std::size_t e) const {
        return call.drops && uniform(seed_, call.offset + e) < static_cast<double>(config_.dropout);
    }
    float kept_factor(const Call& call) const { return call.drops ? 1 / (1 - config_.dropout) : 1.0F; }
    void layer_norm_backward(const float* x, std::vector<double>& gradient) {
        const std::size_t C = config_.d_model;
        const Moments moments(x, C);
        double mean = 0;
        double mean_with_x = 0;
        std::vector<double> normal(C);
        for (std::size_t c = 0; c < C; ++c) {
            normal[c] = (static_cast<double>(x[c]) - moments.mean) * moments.inverse;
            gain_.gradient[c] += gradient[c] * normal[c];
            bias_.gradient[c] += gradient[c];
            gradient[c] *= static_cast<double>(gain_.values[c]);
            mean += gradient[c] / static_cast<double>(C);
            mean_with_x += gradient[c] * normal[c] / static_cast<double>(C);
        }
        for (std::size_t c = 0; c < C; ++c)
            gradient[c] = moments.inverse * (gradient[c] - mean - normal[c] * mean_with_x);
    }

    static std::vector<TensorInfo> infos(const std::vector<const Tensor*>& tensors) {
        std::vector<TensorInfo> result;
        for (const Tensor* tensor : tensors)
            result.push_back(tensor->info);
        return result;
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    Tensor wte_;
    Tensor position_;
    Tensor gain_;
    Tensor bias_;
    std::vector<Tensor*> trained_;
    std::vector<Tensor*> all_;
    std::optional<Call> last_;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    if (config.vocab_size == 0) return ConfigField::vocab_size;
    if (config.d_model == 0) return ConfigField::d_model;
    if (config.max_positions == 0) return ConfigField::max_positions;
    if (!(config.dropout >= 0 && config.dropout <= 1)) return ConfigField::dropout; // NaN too
    if (config.positions != Positions::learned && config.positions != Positions::sinusoidal)
        return ConfigField::positions;
    if (config.padding_idx >= static_cast<std::int64_t>(config.vocab_size)) return ConfigField::padding_idx;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    const std::size_t tokens = config.vocab_size * config.d_model;
    const std::size_t positions = config.max_positions * config.d_model;
    const bool learned = config.positions == Positions::learned;
    const std::size_t parameters =
        tokens + (learned ? positions : 0) + (config.layer_norm ? 2 * config.d_model : 0);
    return {parameters, parameters * sizeof(float), learned ? 0 : positions * sizeof(float)};
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
