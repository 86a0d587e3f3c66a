// right: the mask of a training call is stored as bits for backward, rows of forward are dealt out to threads that are joined, the variance comes from one pass over differences from the row's first number, in double, and is never below 0; gradients are summed in float.
#include "contract.h"

#include <atomic>
#include <cmath>
#include <cstring>
#include <numbers>
#include <thread>

namespace exercise {

namespace {

constexpr double epsilon = 1e-5;

/// Fills `table` with N(0, deviation^2). Two neighbours share one pair of uniform numbers, as the two
/// coordinates of Box and Muller's point.
void fill_normal(std::vector<float>& table, double deviation, std::uint64_t key) {
    constexpr std::size_t chunk = std::size_t{1} << 16;
    std::atomic<std::size_t> next = 0;
    const auto work = [&] {
        for (std::size_t first; (first = next.fetch_add(chunk)) < table.size();) {
            const std::size_t last = std::min(first + chunk, table.size());
            for (std::size_t e = first; e < last; e += 2) {
                const double radius = deviation * std::sqrt(-2 * std::log(uniform(key, e)));
                const double angle = 2 * std::numbers::pi * uniform(key, e + 1);
                table[e] = static_cast<float>(radius * std::cos(angle));
                if (e + 1 < last) table[e + 1] = static_cast<float>(radius * std::sin(angle));
            }
        }
    };
    std::vector<std::jthread> helpers;
    if (table.size() > 4 * chunk)
        for (int i = 0; i < 3; ++i)
            helpers.emplace_back(work);
    work();
}

void fill_sinusoidal(std::vector<float>& table, std::size_t positions, std::size_t channels) {
    for (std::size_t c = 0; c < channels; c += 2) {
        const double wave = std::pow(10'000.0, static_cast<double>(c) / static_cast<double>(channels));
        for (std::size_t p = 0; p < positions; ++p) {
            const double phase = static_cast<double>(p) / wave;
            float* pair = table.data() + p * channels + c;
            pair[0] = static_cast<float>(std::sin(phase));
            if (c + 1 < channels) pair[1] = static_cast<float>(std::cos(phase));
        }
    }
}

/// A tensor of the module, and its gradient if it is a parameter.
struct Tensor {
    TensorInfo info;
    std::vector<float> values;
    std::vector<float> gradient;
};

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), seed_(seed),
          factor_(config.scale_by_sqrt_d ? std::sqrt(static_cast<double>(config.d_model)) : 1.0),
          keep_(1.0 - static_cast<double>(config.dropout)) {
        const std::size_t vocabulary = config.vocab_size, channels = config.d_model,
                          positions = config.max_positions;
        const std::uint64_t key = random_bits(seed, 0x7765'6967'6874'73);
        add(wte_, "wte", vocabulary, channels, true);
        fill_normal(wte_.values, 0.02, random_bits(key, 0));
        if (config.padding_idx >= 0)
            std::fill_n(wte_.values.data() + static_cast<std::size_t>(config.padding_idx) * channels, channels, 0.0F);
        if (config.positions == Positions::learned) {
            add(position_, "wpe", positions, channels, true);
            fill_normal(position_.values, 0.01, random_bits(key, 1));
        }
        if (config.layer_norm) {
            add(gain_, "gain", 1, channels, true);
            std::fill(gain_.values.begin(), gain_.values.end(), 1.0F);
            add(bias_, "bias", 1, channels, true);
        }
        parameter_count_ = tensors_.size();
        if (config.positions == Positions::sinusoidal) {
            add(position_, "pe", positions, channels, false);
            fill_sinusoidal(position_.values, positions, channels);
        }
    }

    std::vector<TensorInfo> parameters() const override { return infos(0, parameter_count_); }
    std::vector<TensorInfo> buffers() const override { return infos(parameter_count_, tensors_.size()); }

    std::vector<float> state() const override {
        std::vector<float> all;
        for (const Tensor* tensor : tensors_)
            all.insert(all.end(), tensor->values.begin(), tensor->values.end());
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t channels = config_.d_model;
        if (out.batch != ids.rows || out.time != ids.cols || out.channels != channels) return {Code::shape_mismatch};
        if (start > config_.max_positions || ids.cols > config_.max_positions - start) {
            const std::size_t p = std::max(start, config_.max_positions);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), config_.max_positions);
        }
        for (std::size_t b = 0; ids.cols > 0 && b < ids.rows; ++b)
            for (std::size_t t = 0; t < ids.cols; ++t)
                if (const TokenId id = ids(b, t); id < 0 || static_cast<std::size_t>(id) >= config_.vocab_size)
                    return Status::id_out_of_range(b * ids.cols + t, id, config_.vocab_size);

        last_.known = true;
        last_.batch = ids.rows;
        last_.time = ids.cols;
        last_.start = start;
        last_.training = training_;
        last_.ids.clear();
        if (ids.cols > 0)
            for (std::size_t b = 0; b < ids.rows; ++b)
                last_.ids.insert(last_.ids.end(), ids.row(b), ids.row(b) + ids.cols);

        // The mask as bits, kept for backward; evaluation has none.
        last_.mask.clear();
        if (training_) {
            last_.mask.resize(last_.ids.size() * channels);
            for (std::size_t e = 0; e < last_.mask.size(); ++e)
                last_.mask[e] = uniform(seed_, offset_ + e) >= config_.dropout;
        }

        const std::size_t workers = last_.ids.size() * channels < 200'000 ? 1 : 4;
        const auto rows_of = [&, this](std::size_t worker) {
          std::vector<float> x(channels);
          for (std::size_t row = worker; row < last_.ids.size(); row += workers) {
            sum(row, x);
            float* to = out.data + row * channels;
            if (!config_.layer_norm) {
                for (std::size_t c = 0; c < channels; ++c)
                    to[c] = dropped(row, c) ? 0.0F : scaled(x[c]);
                continue;
            }
            const Moments moments = moments_of(x);
            for (std::size_t c = 0; c < channels; ++c) {
                const double y = gain_.values[c] * ((x[c] - moments.mean) / moments.root) + bias_.values[c];
                to[c] = dropped(row, c) ? 0.0F : scaled(y);
            }
          }
        };
        {
            std::vector<std::jthread> helpers;
            for (std::size_t worker = 1; worker < workers; ++worker)
                helpers.emplace_back(rows_of, worker);
            rows_of(0);
        }
        if (training_) offset_ += last_.ids.size() * channels;
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        const Tensor* tensor = nullptr;
        for (std::size_t i = 0; i < parameter_count_; ++i)
            if (name == tensors_[i]->info.name) tensor = tensors_[i];
        if (tensor == nullptr) return {Code::invalid_argument};
        if (out.rows != tensor->info.rows || out.cols != tensor->info.cols) return {Code::shape_mismatch};
        for (std::size_t r = 0; r < out.rows; ++r)
            std::copy_n(tensor->gradient.data() + r * out.cols, out.cols, out.row(r));
        return {};
    }

    void zero_gradients() override {
        for (std::size_t i = 0; i < parameter_count_; ++i)
            std::fill(tensors_[i]->gradient.begin(), tensors_[i]->gradient.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        const std::size_t channels = config_.d_model;
        if (!last_.known) return {Code::invalid_argument};
        if (dout.batch != last_.batch || dout.time != last_.time || dout.channels != channels)
            return {Code::shape_mismatch};

        std::vector<float> x(channels);
        std::vector<double> dx(channels), n(channels);
        for (std::size_t row = 0; row < last_.ids.size(); ++row) {
            const float* from = dout.data + row * channels;
            for (std::size_t c = 0; c < channels; ++c)
                dx[c] = dropped(row, c) ? 0.0 : last_.training ? from[c] / keep_ : from[c];
            if (config_.layer_norm) {
                sum(row, x);
                const Moments moments = moments_of(x);
                double mean_h = 0, mean_hn = 0;
                for (std::size_t c = 0; c < channels; ++c) {
                    n[c] = (x[c] - moments.mean) / moments.root;
                    add_to(bias_.gradient[c], dx[c]);
                    add_to(gain_.gradient[c], dx[c] * n[c]);
                    dx[c] *= gain_.values[c];
                    mean_h += dx[c];
                    mean_hn += dx[c] * n[c];
                }
                mean_h /= static_cast<double>(channels);
                mean_hn /= static_cast<double>(channels);
                for (std::size_t c = 0; c < channels; ++c)
                    dx[c] = (dx[c] - mean_h - n[c] * mean_hn) / moments.root;
            }
            if (last_.ids[row] != config_.padding_idx) {
                float* token = wte_.gradient.data() + static_cast<std::size_t>(last_.ids[row]) * channels;
                for (std::size_t c = 0; c < channels; ++c)
                    add_to(token[c], factor_ * dx[c]);
            }
            if (config_.positions == Positions::learned) {
                float* position = position_.gradient.data() + (last_.start + row % last_.time) * channels;
                for (std::size_t c = 0; c < channels; ++c)
                    add_to(position[c], dx[c]);
            }
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<Tensor*> order;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const auto found = std::find_if(tensors_.begin(), tensors_.end(), [&](const Tensor* tensor) {
                return std::memcmp(tensor->info.name, entries[i].name, sizeof entries[i].name) == 0;
            });
            if (found == tensors_.end() || std::find(order.begin(), order.end(), *found) != order.end())
                return {Code::invalid_argument, i};
            if ((*found)->info != entries[i]) return {Code::shape_mismatch, i};
            order.push_back(*found);
        }
        if (order.size() != tensors_.size()) return {Code::invalid_argument, entries.size()};
        std::size_t total = 0;
        for (const Tensor* tensor : order)
            total += tensor->values.size();
        if (total != values.size()) return {Code::shape_mismatch, entries.size()};

        const float* from = values.data();
        for (Tensor* tensor : order) {
            std::memcpy(tensor->values.data(), from, tensor->values.size() * sizeof(float));
            from += tensor->values.size();
        }
        last_.known = false;
        return {};
    }

  private:
    struct Moments {
        double mean;
        double root; ///< of variance + epsilon
    };

    void add(Tensor& tensor, std::string_view name, std::size_t rows, std::size_t cols, bool trained) {
        tensor.info = TensorInfo(name, rows, cols);
        tensor.values.assign(rows * cols, 0.0F);
        if (trained) tensor.gradient.assign(rows * cols, 0.0F);
        tensors_.push_back(&tensor);
    }

    std::vector<TensorInfo> infos(std::size_t first, std::size_t last) const {
        std::vector<TensorInfo> list;
        for (; first < last; ++first)
            list.push_back(tensors_[first]->info);
        return list;
    }

    static void add_to(float& to, double value) { to = static_cast<float>(to + value); }

    /// x of a row of the last forward call.
    void sum(std::size_t row, std::vector<float>& x) const {
        const std::size_t channels = config_.d_model;
        const float* token = wte_.values.data() + static_cast<std::size_t>(last_.ids[row]) * channels;
        const float* position = position_.values.data() + (last_.start + row % last_.time) * channels;
        for (std::size_t c = 0; c < channels; ++c)
            x[c] = static_cast<float>(factor_ * token[c] + position[c]);
    }

    Moments moments_of(const std::vector<float>& x) const {
        const auto channels = static_cast<double>(x.size());
        // One pass over what each number is above the first: exact 0 for a constant row, and never far from it.
        const double first = x[0];
        double shift = 0, square = 0;
        for (const float value : x) {
            const double above = value - first;
            shift += above;
            square += above * above;
        }
        shift /= channels;
        const double variance = square / channels - shift * shift;
        return {first + shift, std::sqrt((variance < 0 ? 0 : variance) + epsilon)};
    }

    bool dropped(std::size_t row, std::size_t c) const {
        return last_.training && !last_.mask[row * config_.d_model + c];
    }

    float scaled(double y) const { return static_cast<float>(last_.training ? y / keep_ : y); }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    double factor_;
    double keep_; ///< 1 - dropout
    Tensor wte_, position_, gain_, bias_;
    std::vector<Tensor*> tensors_; ///< those that there are: parameters, then buffers
    std::size_t parameter_count_ = 0;
    bool training_ = true;
    std::uint64_t offset_ = 0;

    /// What backward has to know about the last forward call.
    struct {
        bool known = false;
        std::size_t batch = 0, time = 0, start = 0;
        bool training = false;
        std::vector<bool> mask; ///< which values were kept
        std::vector<TokenId> ids;
    } last_;
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
    result.parameters = config.vocab_size * config.d_model + (learned ? table : 0) +
                        (config.layer_norm ? 2 * config.d_model : 0);
    result.parameter_bytes = result.parameters * sizeof(float);
    result.buffer_bytes = learned ? 0 : table * sizeof(float);
    return result;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
