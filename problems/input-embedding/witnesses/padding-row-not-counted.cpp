// Fault: count leaves the row of padding_idx out.
// Origin: round 16
#include "contract.h"

#include <cmath>
#include <cstring>
#include <numbers>
#include <thread>

namespace exercise {

ConfigField validate(const InputEmbeddingConfig& config) {
    if (config.vocab_size == 0) return ConfigField::vocab_size;
    if (config.d_model == 0) return ConfigField::d_model;
    if (config.max_positions == 0) return ConfigField::max_positions;
    if (!(config.dropout >= 0.0F && config.dropout <= 1.0F)) return ConfigField::dropout;
    if (config.positions != Positions::learned && config.positions != Positions::sinusoidal)
        return ConfigField::positions;
    if (config.padding_idx >= static_cast<std::int64_t>(config.vocab_size)) return ConfigField::padding_idx;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    const std::size_t table = config.max_positions * config.d_model;
    ParameterCount result;
    result.parameters = config.vocab_size * config.d_model;
    if (config.padding_idx >= 0) result.parameters -= config.d_model; // that row never gets a gradient
    if (config.positions == Positions::learned) result.parameters += table;
    if (config.layer_norm) result.parameters += 2 * config.d_model;
    result.parameter_bytes = result.parameters * sizeof(float);
    if (config.positions == Positions::sinusoidal) result.buffer_bytes = table * sizeof(float);
    return result;
}

namespace {

/// Independent numbers of N(0, deviation^2): numbers 2 i and 2 i + 1 are one pair of Box and Muller.
void fill_normal(std::uint64_t stream, double deviation, std::vector<float>& values) {
    const std::size_t pairs = (values.size() + 1) / 2;
    const auto fill = [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const double radius = deviation * std::sqrt(-2.0 * std::log(uniform(stream, 2 * i)));
            const double angle = 2.0 * std::numbers::pi * uniform(stream, 2 * i + 1);
            values[2 * i] = static_cast<float>(radius * std::cos(angle));
            if (2 * i + 1 < values.size()) values[2 * i + 1] = static_cast<float>(radius * std::sin(angle));
        }
    };
    if (pairs < 100'000) {
        fill(0, pairs);
        return;
    }
    std::vector<std::thread> workers;
    const std::size_t parts = 8;
    for (std::size_t part = 0; part < parts; ++part)
        workers.emplace_back(fill, pairs / parts * part, part + 1 == parts ? pairs : pairs / parts * (part + 1));
    for (std::thread& worker : workers)
        worker.join();
}

void fill_sinusoidal(std::size_t positions, std::size_t channels, std::vector<float>& values) {
    for (std::size_t c = 0; c < channels; c += 2) {
        const double frequency = std::pow(10'000.0, -static_cast<double>(c) / static_cast<double>(channels));
        for (std::size_t p = 0; p < positions; ++p) {
            const double angle = static_cast<double>(p) * frequency;
            values[p * channels + c] = static_cast<float>(std::sin(angle));
            if (c + 1 < channels) values[p * channels + c + 1] = static_cast<float>(std::cos(angle));
        }
    }
}

struct Tensor {
    TensorInfo info;
    bool trained = true;
    std::vector<float> values;
    std::vector<float> gradient; ///< empty as long as it is 0

    Tensor(std::string_view name, std::size_t rows, std::size_t cols, bool is_trained)
        : info(name, rows, cols), trained(is_trained), values(rows * cols) {}
    float* gradient_row(std::size_t r) {
        if (gradient.empty()) gradient.resize(values.size());
        return gradient.data() + r * info.cols;
    }
    const float* row(std::size_t r) const { return values.data() + r * info.cols; }
};

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed) : config_(config), seed_(seed) {
        const std::size_t channels = config_.d_model;
        Tensor& wte = tensors_.emplace_back("wte", config_.vocab_size, channels, true);
        fill_normal(random_bits(seed, 0), 0.02, wte.values);
        if (config_.padding_idx >= 0)
            std::fill_n(wte.values.data() + static_cast<std::size_t>(config_.padding_idx) * channels, channels, 0.0F);
        const bool learned = config_.positions == Positions::learned;
        if (learned) {
            Tensor& wpe = tensors_.emplace_back("wpe", config_.max_positions, channels, true);
            fill_normal(random_bits(seed, 1), 0.01, wpe.values);
            position_ = tensors_.size() - 1;
        }
        if (config_.layer_norm) {
            gain_ = tensors_.size();
            Tensor& gain = tensors_.emplace_back("gain", 1, channels, true);
            std::fill(gain.values.begin(), gain.values.end(), 1.0F);
            tensors_.emplace_back("bias", 1, channels, true);
        }
        if (!learned) {
            Tensor& pe = tensors_.emplace_back("pe", config_.max_positions, channels, false);
            fill_sinusoidal(config_.max_positions, channels, pe.values);
            position_ = tensors_.size() - 1;
        }
        if (config_.scale_by_sqrt_d) factor_ = std::sqrt(static_cast<double>(channels));
    }

    std::vector<TensorInfo> parameters() const override { return infos(true); }
    std::vector<TensorInfo> buffers() const override { return infos(false); }

    std::vector<float> state() const override {
        std::vector<float> all;
        all.reserve(numbers());
        for (const Tensor& tensor : tensors_)
            all.insert(all.end(), tensor.values.begin(), tensor.values.end());
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t channels = config_.d_model;
        if (out.batch != ids.rows || out.time != ids.cols || out.channels != channels)
            return {Code::shape_mismatch};
        const std::size_t positions = config_.max_positions;
        if (start > positions || ids.cols > positions - start) {
            const std::size_t first = std::max(start, positions);
            return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first), positions);
        }
        for (std::size_t b = 0; ids.cols != 0 && b < ids.rows; ++b)
            for (std::size_t t = 0; t < ids.cols; ++t) {
                const TokenId id = ids(b, t);
                if (id < 0 || static_cast<std::size_t>(id) >= config_.vocab_size)
                    return Status::id_out_of_range(b * ids.cols + t, id, config_.vocab_size);
            }

        last_.valid = true;
        last_.batch = ids.rows;
        last_.time = ids.cols;
        last_.start = start;
        last_.training = training_;
        last_.offset = offset_;
        last_.ids.clear();
        last_.ids.reserve(ids.cols == 0 ? 0 : ids.rows * ids.cols);
        for (std::size_t b = 0; ids.cols != 0 && b < ids.rows; ++b)
            last_.ids.insert(last_.ids.end(), ids.row(b), ids.row(b) + ids.cols);
        if (training_) offset_ += ids.rows * ids.cols * channels;

        std::vector<float> x(channels);
        std::vector<double> normal(channels);
        for (std::size_t r = 0; r < last_.ids.size(); ++r) {
            float* const to = out.data + r * channels;
            sum_row(r, x.data());
            if (config_.layer_norm) {
                normalise(x.data(), normal.data());
                const float* const gain = tensors_[gain_].row(0);
                const float* const bias = tensors_[gain_ + 1].row(0);
                for (std::size_t c = 0; c < channels; ++c)
                    to[c] = static_cast<float>(gain[c] * normal[c] + bias[c]);
            } else {
                std::copy(x.begin(), x.end(), to);
            }
            if (last_.training) {
                const double keep = 1.0 - static_cast<double>(config_.dropout);
                for (std::size_t c = 0; c < channels; ++c)
                    to[c] = kept(r * channels + c) ? static_cast<float>(to[c] / keep) : 0.0F;
            }
        }
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const Tensor& tensor : tensors_) {
            if (!tensor.trained || name != tensor.info.name) continue;
            if (out.rows != tensor.info.rows || out.cols != tensor.info.cols) return {Code::shape_mismatch};
            for (std::size_t r = 0; r < out.rows; ++r) {
                if (tensor.gradient.empty())
                    std::fill_n(out.row(r), out.cols, 0.0F);
                else
                    std::copy_n(tensor.gradient.data() + r * out.cols, out.cols, out.row(r));
            }
            return {};
        }
        return {Code::invalid_argument};
    }

    void zero_gradients() override {
        for (Tensor& tensor : tensors_)
            std::fill(tensor.gradient.begin(), tensor.gradient.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        const std::size_t channels = config_.d_model;
        if (!last_.valid) return {Code::invalid_argument};
        if (dout.batch != last_.batch || dout.time != last_.time || dout.channels != channels)
            return {Code::shape_mismatch};
        const double keep = 1.0 - static_cast<double>(config_.dropout);
        std::vector<float> x(channels);
        std::vector<double> normal(channels), d(channels);
        for (std::size_t r = 0; r < last_.ids.size(); ++r) {
            const float* const from = dout.data + r * channels;
            for (std::size_t c = 0; c < channels; ++c) {
                if (!last_.training)
                    d[c] = from[c];
                else
                    d[c] = kept(r * channels + c) ? from[c] / keep : 0.0;
            }
            if (config_.layer_norm) {
                sum_row(r, x.data());
                const double root = normalise(x.data(), normal.data());
                const float* const gain = tensors_[gain_].row(0);
                float* const dgain = tensors_[gain_].gradient_row(0);
                float* const dbias = tensors_[gain_ + 1].gradient_row(0);
                double mean = 0, product = 0;
                for (std::size_t c = 0; c < channels; ++c) {
                    dgain[c] = static_cast<float>(dgain[c] + d[c] * normal[c]);
                    dbias[c] = static_cast<float>(dbias[c] + d[c]);
                    d[c] *= gain[c];
                    mean += d[c];
                    product += d[c] * normal[c];
                }
                mean /= static_cast<double>(channels);
                product /= static_cast<double>(channels);
                for (std::size_t c = 0; c < channels; ++c)
                    d[c] = (d[c] - mean - normal[c] * product) / root;
            }
            const TokenId id = last_.ids[r];
            if (id != config_.padding_idx) {
                float* const to = tensors_[0].gradient_row(static_cast<std::size_t>(id));
                for (std::size_t c = 0; c < channels; ++c)
                    to[c] = static_cast<float>(to[c] + factor_ * d[c]);
            }
            if (tensors_[position_].trained) {
                float* const to = tensors_[position_].gradient_row(last_.start + r % last_.time);
                for (std::size_t c = 0; c < channels; ++c)
                    to[c] = static_cast<float>(to[c] + d[c]);
            }
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<std::size_t> which;
        std::vector<bool> seen(tensors_.size());
        for (std::size_t i = 0; i < entries.size(); ++i) {
            std::size_t found = 0;
            while (found < tensors_.size() &&
                   std::memcmp(tensors_[found].info.name, entries[i].name, sizeof entries[i].name) != 0)
                ++found;
            if (found == tensors_.size() || seen[found]) return {Code::invalid_argument, i};
            if (!(tensors_[found].info == entries[i])) return {Code::shape_mismatch, i};
            seen[found] = true;
            which.push_back(found);
        }
        if (which.size() != tensors_.size()) return {Code::invalid_argument, entries.size()};
        if (values.size() != numbers()) return {Code::shape_mismatch, entries.size()};
        const float* from = values.data();
        for (const std::size_t i : which) {
            std::memcpy(tensors_[i].values.data(), from, tensors_[i].values.size() * sizeof(float));
            from += tensors_[i].values.size();
        }
        last_.valid = false;
        return {};
    }

  private:
    /// What backward needs of the last forward call.
    struct Last {
        bool valid = false;
        std::size_t batch = 0, time = 0, start = 0;
        bool training = false;
        std::uint64_t offset = 0;
        std::vector<TokenId> ids;
    };

    std::vector<TensorInfo> infos(bool trained) const {
        std::vector<TensorInfo> result;
        for (const Tensor& tensor : tensors_)
            if (tensor.trained == trained) result.push_back(tensor.info);
        return result;
    }

    std::size_t numbers() const {
        std::size_t sum = 0;
        for (const Tensor& tensor : tensors_)
            sum += tensor.values.size();
        return sum;
    }

    /// Whether element e of the last call is kept, if that was a training call.
    bool kept(std::size_t e) const {
        return uniform(seed_, last_.offset + e) >= static_cast<double>(config_.dropout);
    }

    /// x of row r of the last call.
    void sum_row(std::size_t r, float* x) const {
        const float* const token = tensors_[0].row(static_cast<std::size_t>(last_.ids[r]));
        const float* const position = tensors_[position_].row(last_.start + r % last_.time);
        if (config_.scale_by_sqrt_d)
            for (std::size_t c = 0; c < config_.d_model; ++c)
                x[c] = static_cast<float>(factor_ * token[c] + position[c]);
        else
            for (std::size_t c = 0; c < config_.d_model; ++c)
                x[c] = token[c] + position[c];
    }

    /// Writes (x - mean) / root and returns root = sqrt(variance + 1e-5).
    double normalise(const float* x, double* normal) const {
        const auto channels = static_cast<double>(config_.d_model);
        double mean = 0, variance = 0;
        for (std::size_t c = 0; c < config_.d_model; ++c)
            mean += x[c];
        mean /= channels;
        for (std::size_t c = 0; c < config_.d_model; ++c) {
            normal[c] = x[c] - mean;
            variance += normal[c] * normal[c];
        }
        const double root = std::sqrt(variance / channels + 1e-5);
        for (std::size_t c = 0; c < config_.d_model; ++c)
            normal[c] /= root;
        return root;
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    std::vector<Tensor> tensors_; ///< parameters, then buffers
    std::size_t position_ = 0;    ///< number of the position table
    std::size_t gain_ = 0;        ///< number of gain, if there is one; bias follows
    double factor_ = 1;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    Last last_;
};

} // namespace

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
