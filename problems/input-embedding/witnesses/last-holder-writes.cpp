// Fault: Modules share a sinusoidal table, and the last one loads a state into it that later modules begin with.
// Origin: round 21
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <map>
#include <thread>
#include <utility>

namespace exercise {

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
    const std::size_t tokens = config.vocab_size * config.d_model;
    const std::size_t positions = config.max_positions * config.d_model;
    const bool learned = config.positions == Positions::learned;
    ParameterCount result;
    result.parameters = tokens + (learned ? positions : 0) + (config.layer_norm ? 2 * config.d_model : 0);
    result.parameter_bytes = 4 * result.parameters;
    result.buffer_bytes = learned ? 0 : 4 * positions;
    return result;
}

namespace {

/// Pairs of normal numbers (Box and Muller 1958); number e is a function of stream and e.
void fill_normal(std::vector<float>& values, std::uint64_t stream, double deviation) {
    const auto fill = [&](std::size_t begin, std::size_t end) { // begin is even
        for (std::size_t e = begin; e < end; e += 2) {
            const double radius = deviation * std::sqrt(-2 * std::log(uniform(stream, e)));
            const double angle = 2 * std::numbers::pi * uniform(stream, e + 1);
            values[e] = static_cast<float>(radius * std::cos(angle));
            if (e + 1 < end) values[e + 1] = static_cast<float>(radius * std::sin(angle));
        }
    };
    const std::size_t piece = values.size() / 4 / 2 * 2;
    std::vector<std::thread> others;
    if (values.size() >= std::size_t{1} << 20)
        for (std::size_t t = 1; t < 4; ++t)
            others.emplace_back(fill, t * piece, t == 3 ? values.size() : (t + 1) * piece);
    fill(0, others.empty() ? values.size() : piece);
    for (std::thread& other : others)
        other.join();
}

void fill_sinusoids(std::vector<float>& values, std::size_t positions, std::size_t width) {
    for (std::size_t c = 0; c < width; c += 2) {
        const double frequency = std::pow(10'000.0, -static_cast<double>(c) / static_cast<double>(width));
        for (std::size_t p = 0; p < positions; ++p) {
            const double angle = static_cast<double>(p) * frequency;
            values[p * width + c] = static_cast<float>(std::sin(angle));
            if (c + 1 < width) values[p * width + c + 1] = static_cast<float>(std::cos(angle));
        }
    }
}

/// The table of a shape, made once for all modules that are there at the same time.
std::shared_ptr<std::vector<float>> shared_sinusoids(std::size_t positions, std::size_t width) {
    static std::map<std::pair<std::size_t, std::size_t>, std::weak_ptr<std::vector<float>>> tables;
    std::weak_ptr<std::vector<float>>& known = tables[{positions, width}];
    std::shared_ptr<std::vector<float>> table = known.lock();
    if (!table) {
        table = std::make_shared<std::vector<float>>(positions * width);
        fill_sinusoids(*table, positions, width);
        known = table;
    }
    return table;
}

struct Tensor {
    TensorInfo info;
    bool trained = false;
    std::shared_ptr<std::vector<float>> values; // copied before it is changed, if others use it, too
    std::vector<float> gradient;

    Tensor(std::string_view name, std::size_t rows, std::size_t cols, bool is_trained, float value = 0)
        : info(name, rows, cols), trained(is_trained), values(std::make_shared<std::vector<float>>(rows * cols, value)),
          gradient(is_trained ? rows * cols : 0) {}
};

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), seed_(seed), width_(config.d_model),
          factor_(config.scale_by_sqrt_d ? std::sqrt(static_cast<double>(config.d_model)) : 1) {
        const std::uint64_t streams = random_bits(seed, 0);
        tensors_.emplace_back("wte", config.vocab_size, width_, true);
        fill_normal((*tensors_[0].values), random_bits(streams, 0), 0.02);
        if (config.padding_idx >= 0)
            std::fill_n((*tensors_[0].values).begin() + config.padding_idx * static_cast<std::ptrdiff_t>(width_), width_, 0.F);
        if (config.positions == Positions::learned) {
            tensors_.emplace_back("wpe", config.max_positions, width_, true);
            fill_normal(*tensors_[1].values, random_bits(streams, 1), 0.01);
            position_ = 1;
        }
        if (config.layer_norm) {
            gain_ = tensors_.size();
            tensors_.emplace_back("gain", 1, width_, true, 1.F);
            tensors_.emplace_back("bias", 1, width_, true);
        }
        if (config.positions == Positions::sinusoidal) {
            position_ = tensors_.size();
            tensors_.emplace_back("pe", 0, width_, false);
            tensors_.back().info.rows = config.max_positions;
            tensors_.back().values = shared_sinusoids(config.max_positions, width_);
        }
    }

    std::vector<TensorInfo> parameters() const override { return list(true); }
    std::vector<TensorInfo> buffers() const override { return list(false); }

    std::vector<float> state() const override {
        std::vector<float> all;
        for (const Tensor& tensor : tensors_)
            all.insert(all.end(), tensor.values->begin(), tensor.values->end());
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t batch = ids.rows, time = ids.cols;
        if (out.batch != batch || out.time != time || out.channels != width_) return {Code::shape_mismatch};
        const std::size_t limit = config_.max_positions;
        if (start > limit || time > limit - start) {
            const std::size_t p = std::max(start, limit);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), limit);
        }
        const std::size_t rows = time == 0 ? 0 : batch;
        for (std::size_t b = 0; b < rows; ++b)
            for (std::size_t t = 0; t < time; ++t) {
                const TokenId id = ids(b, t);
                if (id < 0 || static_cast<std::size_t>(id) >= config_.vocab_size)
                    return Status::id_out_of_range(b * time + t, id, config_.vocab_size);
            }

        ready_ = true;
        last_ = {batch, time, start, training_, offset_};
        ids_.clear();
        for (std::size_t b = 0; b < rows; ++b)
            ids_.insert(ids_.end(), ids.row(b), ids.row(b) + time);
        std::vector<float> x(width_);
        const double keep = 1 / (1 - static_cast<double>(config_.dropout));
        for (std::size_t b = 0; b < rows; ++b)
            for (std::size_t t = 0; t < time; ++t) {
                sum(static_cast<std::size_t>(ids(b, t)), start + t, x.data());
                float* to = out.row(b, t);
                if (config_.layer_norm) {
                    const auto [mean, scale] = spread(x.data());
                    const float* gain = values(gain_);
                    const float* bias = values(gain_ + 1);
                    for (std::size_t c = 0; c < width_; ++c)
                        to[c] = static_cast<float>(gain[c] * ((x[c] - mean) * scale) + bias[c]);
                } else {
                    std::copy(x.begin(), x.end(), to);
                }
                if (!training_) continue;
                const std::uint64_t first = offset_ + (b * time + t) * width_;
                for (std::size_t c = 0; c < width_; ++c)
                    to[c] = kept(first + c) ? static_cast<float>(to[c] * keep) : 0.F;
            }
        if (training_) offset_ += static_cast<std::uint64_t>(rows) * time * width_;
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const Tensor& tensor : tensors_) {
            if (!tensor.trained || name != std::string_view(tensor.info.name)) continue;
            if (out.rows != tensor.info.rows || out.cols != tensor.info.cols) return {Code::shape_mismatch};
            for (std::size_t r = 0; r < out.rows; ++r)
                std::copy_n(tensor.gradient.data() + r * out.cols, out.cols, out.row(r));
            return {};
        }
        return {Code::invalid_argument};
    }

    void zero_gradients() override {
        for (Tensor& tensor : tensors_)
            std::fill(tensor.gradient.begin(), tensor.gradient.end(), 0.F);
    }

    Status backward(Tensor3<const float> dout) override {
        if (!ready_) return {Code::invalid_argument};
        if (dout.batch != last_.batch || dout.time != last_.time || dout.channels != width_)
            return {Code::shape_mismatch};
        const std::size_t rows = last_.time == 0 ? 0 : last_.batch * last_.time;
        const double keep = last_.training ? 1 / (1 - static_cast<double>(config_.dropout)) : 1;
        std::vector<float> x(width_);
        std::vector<double> dx(width_);
        std::vector<double> dy(width_), normal(width_), dgain(width_), dbias(width_);
        for (std::size_t row = 0; row < rows; ++row) {
            const float* from = dout.data + row * width_;
            const std::uint64_t first = last_.offset + row * width_;
            for (std::size_t c = 0; c < width_; ++c)
                dy[c] = !last_.training || kept(first + c) ? from[c] * keep : 0;
            const std::size_t id = static_cast<std::size_t>(ids_[row]);
            const std::size_t position = last_.start + row % last_.time;
            if (config_.layer_norm) {
                sum(id, position, x.data());
                const auto [mean, scale] = spread(x.data());
                const float* gain = values(gain_);
                double mean_h = 0, mean_hn = 0;
                for (std::size_t c = 0; c < width_; ++c) {
                    normal[c] = (x[c] - mean) * scale;
                    dgain[c] += dy[c] * normal[c];
                    dbias[c] += dy[c];
                    dy[c] *= gain[c];
                    mean_h += dy[c];
                    mean_hn += dy[c] * normal[c];
                }
                mean_h /= static_cast<double>(width_);
                mean_hn /= static_cast<double>(width_);
                for (std::size_t c = 0; c < width_; ++c)
                    dx[c] = (dy[c] - mean_h - normal[c] * mean_hn) * scale;
            } else {
                std::copy(dy.begin(), dy.end(), dx.begin());
            }
            float* place = tensors_[position_].gradient.data() + position * width_;
            for (std::size_t c = 0; c < width_ && tensors_[position_].trained; ++c)
                place[c] += static_cast<float>(dx[c]);
            if (static_cast<std::int64_t>(id) == config_.padding_idx) continue;
            float* token = tensors_[0].gradient.data() + id * width_;
            for (std::size_t c = 0; c < width_; ++c)
                token[c] += static_cast<float>(factor_ * dx[c]);
        }
        if (config_.layer_norm)
            for (std::size_t c = 0; c < width_; ++c) {
                tensors_[gain_].gradient[c] += static_cast<float>(dgain[c]);
                tensors_[gain_ + 1].gradient[c] += static_cast<float>(dbias[c]);
            }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> from) override {
        std::vector<std::size_t> which;
        std::vector<bool> named(tensors_.size());
        std::size_t total = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const std::string_view name = entries[i].name;
            std::size_t k = 0;
            while (k < tensors_.size() && name != std::string_view(tensors_[k].info.name))
                ++k;
            if (k == tensors_.size() || named[k]) return {Code::invalid_argument, i};
            if (!(entries[i] == tensors_[k].info)) return {Code::shape_mismatch, i};
            named[k] = true;
            which.push_back(k);
            total += tensors_[k].info.rows * tensors_[k].info.cols;
        }
        if (which.size() != tensors_.size()) return {Code::invalid_argument, entries.size()};
        if (from.size() != total) return {Code::shape_mismatch, entries.size()};
        const float* next = from.data();
        for (const std::size_t k : which) {
            Tensor& tensor = tensors_[k];
            const std::size_t size = tensor.values->size();
            if (tensor.values.use_count() > 1)
                tensor.values = std::make_shared<std::vector<float>>(next, next + size);
            else
                std::copy_n(next, size, tensor.values->begin());
            next += size;
        }
        ready_ = false;
        return {};
    }

  private:
    std::vector<TensorInfo> list(bool trained) const {
        std::vector<TensorInfo> result;
        for (const Tensor& tensor : tensors_)
            if (tensor.trained == trained) result.push_back(tensor.info);
        return result;
    }

    const float* values(std::size_t k) const { return tensors_[k].values->data(); }

    bool kept(std::uint64_t e) const { return uniform(seed_, e) >= config_.dropout; }

    /// factor * token + position
    void sum(std::size_t id, std::size_t position, float* x) const {
        const float* token = values(0) + id * width_;
        const float* place = values(position_) + position * width_;
        if (config_.scale_by_sqrt_d)
            for (std::size_t c = 0; c < width_; ++c)
                x[c] = static_cast<float>(factor_ * token[c] + place[c]);
        else
            for (std::size_t c = 0; c < width_; ++c)
                x[c] = token[c] + place[c];
    }

    struct Spread {
        double mean, scale;
    };

    /// The mean of a row and 1 / sqrt(variance + eps).
    Spread spread(const float* x) const {
        double mean = 0, square = 0;
        for (std::size_t c = 0; c < width_; ++c)
            mean += x[c];
        mean /= static_cast<double>(width_);
        for (std::size_t c = 0; c < width_; ++c)
            square += (x[c] - mean) * (x[c] - mean);
        return {mean, 1 / std::sqrt(square / static_cast<double>(width_) + 1e-5)};
    }

    struct Call {
        std::size_t batch = 0, time = 0, start = 0;
        bool training = false;
        std::uint64_t offset = 0;
    };

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    std::size_t width_;
    double factor_;
    std::vector<Tensor> tensors_; // parameters, then buffers
    std::size_t position_ = 0;    // which of them are the positions
    std::size_t gain_ = 0;        // which is gain; bias follows
    bool training_ = true;
    std::uint64_t offset_ = 0;
    bool ready_ = false; // there is a last call, and no state was loaded since
    Call last_;
    std::vector<TokenId> ids_; // of the last call
};

} // namespace

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
