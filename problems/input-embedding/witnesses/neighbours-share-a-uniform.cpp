// Fault: Value i is drawn from uniform numbers i and i + 1, so neighbours are not independent.
// Origin: round 15
#include "contract.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <string>
#include <thread>

namespace exercise {

namespace {

/// Numbers that begin as zeros; calloc gives large ones without touching them.
class Zeros {
  public:
    explicit Zeros(std::size_t n) : size_(n), data_(static_cast<float*>(std::calloc(n ? n : 1, sizeof(float))), std::free) {}
    float* data() { return data_.get(); }
    const float* data() const { return data_.get(); }
    std::size_t size() const { return size_; }
    void clear() { std::memset(data_.get(), 0, size_ * sizeof(float)); }

  private:
    std::size_t size_;
    std::unique_ptr<float, void (*)(void*)> data_;
};

struct Slot {
    TensorInfo info;
    Zeros values;
    Zeros gradient; // of no size for a buffer

    Slot(const char* name, std::size_t rows, std::size_t cols, bool trained)
        : info(name, rows, cols), values(rows * cols), gradient(trained ? rows * cols : 0) {}
};

/// Normal numbers by Box and Muller: number i from the uniform numbers i and i + 1.
void fill_part(float* to, std::size_t first, std::size_t last, std::size_t, std::uint64_t seed, double deviation) {
    for (std::size_t i = first; i < last; ++i) {
        const double radius = deviation * std::sqrt(-2.0 * std::log(uniform(seed, i)));
        to[i] = static_cast<float>(radius * std::cos(2.0 * std::numbers::pi * uniform(seed, i + 1)));
    }
}

void fill_normal(float* to, std::size_t n, std::uint64_t seed, double deviation) {
    const std::size_t parts = std::min<std::size_t>(12, n / 65536 + 1);
    const std::size_t each = (n / parts + 2) / 2 * 2; // even
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < parts; ++i)
        threads.emplace_back([=] { fill_part(to, std::min(n, i * each), std::min(n, (i + 1) * each), n, seed, deviation); });
    fill_part(to, 0, std::min(n, each), n, seed, deviation);
    for (auto& thread : threads) thread.join();
}

void fill_sinusoids(float* to, std::size_t rows, std::size_t cols) {
    for (std::size_t c = 0; c < cols; ++c) {
        const double frequency = std::pow(10000.0, -static_cast<double>(c / 2 * 2) / static_cast<double>(cols));
        for (std::size_t p = 0; p < rows; ++p) {
            const double angle = static_cast<double>(p) * frequency;
            to[p * cols + c] = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
}

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed) : config_(config), seed_(seed) {
        const std::size_t v = config.vocab_size, c = config.d_model, p = config.max_positions;
        learned_ = config.positions == Positions::learned;
        slots_.reserve(5);
        slots_.emplace_back("wte", v, c, true);
        if (learned_) slots_.emplace_back("wpe", p, c, true);
        if (config.layer_norm) {
            gain_ = slots_.size();
            slots_.emplace_back("gain", 1, c, true);
            slots_.emplace_back("bias", 1, c, true);
        }
        trained_ = slots_.size();
        if (!learned_) slots_.emplace_back("pe", p, c, false);
        position_ = learned_ ? 1 : trained_;

        const std::uint64_t token_seed = random_bits(seed, 0x8000000000000001u);
        const std::uint64_t position_seed = random_bits(seed, 0x8000000000000002u);
        fill_normal(slots_[0].values.data(), v * c, token_seed, 0.02);
        if (config.padding_idx >= 0)
            std::memset(slots_[0].values.data() + static_cast<std::size_t>(config.padding_idx) * c, 0, c * sizeof(float));
        float* positions = slots_[position_].values.data();
        if (learned_)
            fill_normal(positions, p * c, position_seed, 0.01);
        else
            fill_sinusoids(positions, p, c);
        if (config.layer_norm) std::fill_n(slots_[gain_].values.data(), c, 1.0F);
        factor_ = config.scale_by_sqrt_d ? std::sqrt(static_cast<double>(c)) : 1.0;
    }

    std::vector<TensorInfo> parameters() const override { return infos(0, trained_); }
    std::vector<TensorInfo> buffers() const override { return infos(trained_, slots_.size()); }

    std::vector<float> state() const override {
        std::size_t total = 0;
        for (const Slot& slot : slots_) total += slot.values.size();
        std::vector<float> all;
        all.reserve(total);
        for (const Slot& slot : slots_) all.insert(all.end(), slot.values.data(), slot.values.data() + slot.values.size());
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t c = config_.d_model, p = config_.max_positions, v = config_.vocab_size;
        const std::size_t batch = ids.rows, time = ids.cols;
        if (out.batch != batch || out.time != time || out.channels != c) return Status{Code::shape_mismatch};
        if (start > p || time > p - start) {
            const std::size_t bad = std::max(start, p);
            return Status::position_out_of_range(bad - start, static_cast<std::int64_t>(bad), p);
        }
        std::vector<TokenId> copy;
        if (time != 0) {
            copy.reserve(batch * time);
            for (std::size_t b = 0; b < batch; ++b)
                for (std::size_t t = 0; t < time; ++t) {
                    const TokenId id = ids(b, t);
                    if (id < 0 || static_cast<std::size_t>(id) >= v) return Status::id_out_of_range(b * time + t, id, v);
                    copy.push_back(id);
                }
        }
        ids_ = std::move(copy);
        batch_ = batch;
        time_ = time;
        start_ = start;
        was_training_ = training_;
        used_offset_ = offset_;
        ready_ = true;
        if (training_) offset_ += static_cast<std::uint64_t>(batch) * time * c;
        std::vector<float> x(c);
        for (std::size_t row = 0; row < ids_.size(); ++row) {
            sum_of(row, x.data());
            float* to = out.data + row * c;
            if (config_.layer_norm) {
                const Spread spread = spread_of(x.data());
                const float* gain = slots_[gain_].values.data();
                const float* bias = slots_[gain_ + 1].values.data();
                for (std::size_t i = 0; i < c; ++i)
                    x[i] = static_cast<float>(gain[i] * ((x[i] - spread.mean) / spread.root) + bias[i]);
            }
            for (std::size_t i = 0; i < c; ++i) to[i] = kept(row, i) ? x[i] * scale() : 0.0F;
        }
        return Status{};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (std::size_t s = 0; s < trained_; ++s)
            if (name == slots_[s].info.name) return copy_gradient(slots_[s], out);
        return Status{Code::invalid_argument};
    }

    void zero_gradients() override {
        for (std::size_t s = 0; s < trained_; ++s) slots_[s].gradient.clear();
    }

    Status backward(Tensor3<const float> dout) override {
        const std::size_t c = config_.d_model;
        if (!ready_) return Status{Code::invalid_argument};
        if (dout.batch != batch_ || dout.time != time_ || dout.channels != c) return Status{Code::shape_mismatch};
        std::vector<float> x(c);
        std::vector<double> dx(c), n(c);
        for (std::size_t row = 0; row < ids_.size(); ++row) {
            const float* from = dout.data + row * c;
            for (std::size_t i = 0; i < c; ++i) dx[i] = kept(row, i) ? static_cast<double>(from[i]) * scale() : 0.0;
            if (config_.layer_norm) {
                sum_of(row, x.data());
                const Spread spread = spread_of(x.data());
                const float* gain = slots_[gain_].values.data();
                float* dgain = slots_[gain_].gradient.data();
                float* dbias = slots_[gain_ + 1].gradient.data();
                double mean_h = 0, mean_hn = 0;
                for (std::size_t i = 0; i < c; ++i) {
                    n[i] = (x[i] - spread.mean) / spread.root;
                    if (!kept(row, i)) {
                        dx[i] = 0;
                        continue;
                    }
                    dgain[i] += static_cast<float>(dx[i] * n[i]);
                    dbias[i] += static_cast<float>(dx[i]);
                    dx[i] *= gain[i];
                    mean_h += dx[i];
                    mean_hn += dx[i] * n[i];
                }
                mean_h /= static_cast<double>(c);
                mean_hn /= static_cast<double>(c);
                for (std::size_t i = 0; i < c; ++i) dx[i] = (dx[i] - mean_h - n[i] * mean_hn) / spread.root;
            }
            if (ids_[row] != config_.padding_idx) {
                float* to = slots_[0].gradient.data() + static_cast<std::size_t>(ids_[row]) * c;
                for (std::size_t i = 0; i < c; ++i) to[i] += static_cast<float>(factor_ * dx[i]);
            }
            if (learned_) {
                float* to = slots_[1].gradient.data() + (start_ + row % time_) * c;
                for (std::size_t i = 0; i < c; ++i) to[i] += static_cast<float>(dx[i]);
            }
        }
        return Status{};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        bool seen[5] = {};
        std::size_t which[5] = {};
        for (std::size_t i = 0; i < entries.size(); ++i) {
            std::size_t s = 0;
            while (s < slots_.size() && std::memcmp(slots_[s].info.name, entries[i].name, sizeof entries[i].name) != 0) ++s;
            if (s == slots_.size() || seen[s]) return Status{Code::invalid_argument, i};
            if (slots_[s].info != entries[i]) return Status{Code::shape_mismatch, i};
            seen[s] = true;
            which[i] = s;
        }
        if (entries.size() != slots_.size()) return Status{Code::invalid_argument, entries.size()};
        std::size_t total = 0;
        for (const Slot& slot : slots_) total += slot.values.size();
        if (values.size() != total) return Status{Code::shape_mismatch, entries.size()};
        const float* from = values.data();
        for (std::size_t i = 0; i < entries.size(); ++i) {
            Zeros& to = slots_[which[i]].values;
            std::memcpy(to.data(), from, to.size() * sizeof(float));
            from += to.size();
        }
        ready_ = false;
        return Status{};
    }

  private:
    struct Spread {
        double mean, root;
    };

    std::vector<TensorInfo> infos(std::size_t first, std::size_t last) const {
        std::vector<TensorInfo> result;
        for (std::size_t s = first; s < last; ++s) result.push_back(slots_[s].info);
        return result;
    }

    static Status copy_gradient(const Slot& slot, const Matrix<float>& out) {
        if (out.rows != slot.info.rows || out.cols != slot.info.cols) return Status{Code::shape_mismatch};
        for (std::size_t r = 0; r < out.rows; ++r)
            std::memcpy(out.row(r), slot.gradient.data() + r * out.cols, out.cols * sizeof(float));
        return Status{};
    }

    /// Row `row` of the last call before LayerNorm.
    void sum_of(std::size_t row, float* x) const {
        const std::size_t c = config_.d_model;
        const float* token = slots_[0].values.data() + static_cast<std::size_t>(ids_[row]) * c;
        const float* position = slots_[position_].values.data() + (start_ + row % time_) * c;
        if (config_.scale_by_sqrt_d)
            for (std::size_t i = 0; i < c; ++i) x[i] = static_cast<float>(factor_ * token[i] + position[i]);
        else
            for (std::size_t i = 0; i < c; ++i) x[i] = token[i] + position[i];
    }

    Spread spread_of(const float* x) const {
        const std::size_t c = config_.d_model;
        double mean = 0, squares = 0;
        for (std::size_t i = 0; i < c; ++i) mean += x[i];
        mean /= static_cast<double>(c);
        for (std::size_t i = 0; i < c; ++i) squares += (x[i] - mean) * (x[i] - mean);
        return {mean, std::sqrt(squares / static_cast<double>(c) + 1e-5)};
    }

    /// Whether the last call kept channel i of its row.
    bool kept(std::size_t row, std::size_t i) const {
        return !was_training_ ||
               uniform(seed_, used_offset_ + static_cast<std::uint64_t>(row) * config_.d_model + i) >= config_.dropout;
    }

    float scale() const { return was_training_ ? 1.0F / (1.0F - config_.dropout) : 1.0F; }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    bool learned_ = true;
    std::vector<Slot> slots_; // parameters, then buffers
    std::size_t trained_ = 0, position_ = 0, gain_ = 0;
    double factor_ = 1;
    bool training_ = true;
    std::uint64_t offset_ = 0;

    // the last forward call
    bool ready_ = false, was_training_ = false;
    std::vector<TokenId> ids_;
    std::size_t batch_ = 0, time_ = 0, start_ = 0;
    std::uint64_t used_offset_ = 0;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    if (config.vocab_size == 0) return ConfigField::vocab_size;
    if (config.d_model == 0) return ConfigField::d_model;
    if (config.max_positions == 0) return ConfigField::max_positions;
    if (!(config.dropout >= 0.0F && config.dropout <= 1.0F)) return ConfigField::dropout;
    if (config.positions != Positions::learned && config.positions != Positions::sinusoidal) return ConfigField::positions;
    if (config.padding_idx >= 0 && static_cast<std::uint64_t>(config.padding_idx) >= config.vocab_size)
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
    if (!learned) result.buffer_bytes = 4 * table;
    return result;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
