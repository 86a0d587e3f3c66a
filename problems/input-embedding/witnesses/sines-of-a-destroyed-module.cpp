// Fault: A destroyed module leaves its sinusoidal table to the next one, even if load_state had changed it.
// Origin: round 23
#include "contract.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <mutex>
#include <numbers>
#include <span>
#include <string_view>
#include <thread>
#include <vector>

namespace exercise {
namespace {

/// A parameter or a buffer.
struct Table {
    TensorInfo info;
    std::vector<float> values;
    std::vector<float> gradient; ///< of parameters

    void make(std::string_view name, std::size_t rows, std::size_t cols, bool trained) {
        info = TensorInfo(name, rows, cols);
        values.assign(rows * cols, 0.0F);
        if (trained) gradient.assign(rows * cols, 0.0F);
    }
    float* row(std::size_t r) { return values.data() + r * info.cols; }
    float* gradient_row(std::size_t r) { return gradient.data() + r * info.cols; }
};

/// work(begin, end) for ranges that cover [0, count).
template <class Work>
void spread(std::size_t count, std::size_t operations, const Work& work) {
    const std::size_t parts = std::min<std::size_t>(count, operations < 100'000 ? 1 : 12);
    std::vector<std::thread> threads;
    for (std::size_t part = 1; part < parts; ++part)
        threads.emplace_back([&work, begin = count * part / parts, end = count * (part + 1) / parts] {
            work(begin, end);
        });
    if (parts > 0) work(0, count / parts);
    for (std::thread& thread : threads)
        thread.join();
}

/// N(0, deviation^2), two numbers at a time (Box and Muller).
void draw_normal(std::vector<float>& values, std::uint64_t stream, double deviation) {
    const std::size_t pairs = (values.size() + 1) / 2;
    spread(pairs, pairs, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const double radius = deviation * std::sqrt(-2 * std::log(uniform(stream, 2 * i)));
            const double angle = 2 * std::numbers::pi * uniform(stream, 2 * i + 1);
            values[2 * i] = static_cast<float>(radius * std::cos(angle));
            if (2 * i + 1 < values.size()) values[2 * i + 1] = static_cast<float>(radius * std::sin(angle));
        }
    });
}

/// pe[p, 2 i] = sin(p / 10,000^(2 i / C)), pe[p, 2 i + 1] = cos of the same
void fill_sinusoidal(Table& table) {
    const std::size_t channels = table.info.cols;
    const std::size_t pairs = (channels + 1) / 2;
    std::vector<double> rates(pairs);
    for (std::size_t i = 0; i < pairs; ++i)
        rates[i] = std::pow(10'000.0, -2.0 * static_cast<double>(i) / static_cast<double>(channels));
    spread(table.info.rows, table.info.rows * channels, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p) {
            float* row = table.row(p);
            for (std::size_t i = 0; i < pairs; ++i) {
                const double angle = static_cast<double>(p) * rates[i];
                row[2 * i] = static_cast<float>(std::sin(angle));
                if (2 * i + 1 < channels) row[2 * i + 1] = static_cast<float>(std::cos(angle));
            }
        }
    });
}

/// Each table has a stream of its own, which no module of another seed shares.
std::uint64_t stream_of(std::uint64_t seed, std::uint64_t table) {
    return random_bits(random_bits(seed, 0), table);
}

/// The table of the last sinusoidal module that is gone: sines take longer than all else in `make`, and the
/// next module often has the same shape.
class SpareTable {
  public:
    void put(Table&& table) {
        const std::lock_guard lock(mutex_);
        table_ = std::move(table);
    }
    /// Whether there was one of that shape, which is then in `table`.
    bool take(Table& table, std::size_t rows, std::size_t cols) {
        const std::lock_guard lock(mutex_);
        if (table_.info.rows != rows || table_.info.cols != cols || table_.values.empty()) return false;
        table = std::move(table_);
        table_ = Table();
        return true;
    }

  private:
    std::mutex mutex_;
    Table table_;
};

SpareTable spare_table;

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), seed_(seed), keep_(1 - static_cast<double>(config.dropout)),
          factor_(config.scale_by_sqrt_d ? std::sqrt(static_cast<double>(config.d_model)) : 1.0) {
        const std::size_t channels = config_.d_model;
        wte_.make("wte", config_.vocab_size, channels, true);
        parameters_.push_back(&wte_);
        draw_normal(wte_.values, stream_of(seed, 0), 0.02);
        if (config_.padding_idx >= 0)
            std::fill_n(wte_.row(static_cast<std::size_t>(config_.padding_idx)), channels, 0.0F);
        if (learned()) {
            position_.make("wpe", config_.max_positions, channels, true);
            parameters_.push_back(&position_);
            draw_normal(position_.values, stream_of(seed, 1), 0.01);
        } else {
            if (!spare_table.take(position_, config_.max_positions, channels)) {
                position_.make("pe", config_.max_positions, channels, false);
                fill_sinusoidal(position_);
            }
            buffers_.push_back(&position_);
        }
        if (config_.layer_norm) {
            gain_.make("gain", 1, channels, true);
            bias_.make("bias", 1, channels, true);
            std::fill(gain_.values.begin(), gain_.values.end(), 1.0F);
            parameters_.push_back(&gain_);
            parameters_.push_back(&bias_);
        }
        all_ = parameters_;
        all_.insert(all_.end(), buffers_.begin(), buffers_.end());
        row_.resize(channels);
    }
    Module(const Module&) = delete;
    Module& operator=(const Module&) = delete;
    ~Module() override {
        if (!learned()) spare_table.put(std::move(position_));
    }

    std::vector<TensorInfo> parameters() const override { return infos(parameters_); }
    std::vector<TensorInfo> buffers() const override { return infos(buffers_); }

    std::vector<float> state() const override {
        std::vector<float> numbers;
        std::size_t total = 0;
        for (const Table* table : all_)
            total += table->values.size();
        numbers.reserve(total);
        for (const Table* table : all_)
            numbers.insert(numbers.end(), table->values.begin(), table->values.end());
        return numbers;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t channels = config_.d_model;
        const std::size_t positions = config_.max_positions;
        if (out.batch != ids.rows || out.time != ids.cols || out.channels != channels)
            return {Code::shape_mismatch};
        if (ids.cols > positions || start > positions - ids.cols) {
            const std::size_t p = std::max(start, positions);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), positions);
        }
        if (ids.cols > 0)
            for (std::size_t b = 0; b < ids.rows; ++b)
                for (std::size_t t = 0; t < ids.cols; ++t)
                    if (const TokenId id = ids(b, t);
                        id < 0 || static_cast<std::size_t>(id) >= config_.vocab_size)
                        return Status::id_out_of_range(b * ids.cols + t, id, config_.vocab_size);

        batch_ = ids.rows;
        time_ = ids.cols;
        start_ = start;
        masked_ = training_ && config_.dropout > 0;
        first_ = offset_;
        recorded_ = true;
        ids_.clear();
        if (ids.cols > 0)
            for (std::size_t b = 0; b < ids.rows; ++b)
                ids_.insert(ids_.end(), ids.row(b), ids.row(b) + ids.cols);
        if (training_) offset_ += batch_ * time_ * channels;

        for (std::size_t r = 0; r < batch_ * time_; ++r) {
            float* to = out.data + r * channels;
            const Norm norm = sum_row(r);
            for (std::size_t c = 0; c < channels; ++c) {
                double y = row_[c];
                if (config_.layer_norm)
                    y = gain_.values[c] * ((y - norm.mean) / norm.deviation) + bias_.values[c];
                if (!masked_)
                    to[c] = static_cast<float>(y);
                else
                    to[c] = kept(r, c) ? static_cast<float>(y / keep_) : 0.0F;
            }
        }
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const Table* table : parameters_) {
            if (name != std::string_view(table->info.name)) continue;
            if (out.rows != table->info.rows || out.cols != table->info.cols) return {Code::shape_mismatch};
            for (std::size_t r = 0; r < out.rows; ++r)
                std::copy_n(table->gradient.data() + r * out.cols, out.cols, out.row(r));
            return {};
        }
        return {Code::invalid_argument};
    }

    void zero_gradients() override {
        for (Table* table : parameters_)
            std::fill(table->gradient.begin(), table->gradient.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        const std::size_t channels = config_.d_model;
        if (!recorded_) return {Code::invalid_argument};
        if (dout.batch != batch_ || dout.time != time_ || dout.channels != channels)
            return {Code::shape_mismatch};

        std::vector<double> dx(channels);
        const auto width = static_cast<double>(channels);
        for (std::size_t r = 0; r < batch_ * time_; ++r) {
            const float* dy = dout.data + r * channels;
            for (std::size_t c = 0; c < channels; ++c)
                dx[c] = !masked_ ? dy[c] : kept(r, c) ? dy[c] / keep_ : 0.0;
            if (config_.layer_norm) {
                const Norm norm = sum_row(r);
                double sum = 0;
                double product = 0;
                for (std::size_t c = 0; c < channels; ++c) {
                    const double n = (row_[c] - norm.mean) / norm.deviation;
                    gain_.gradient[c] += static_cast<float>(dx[c] * n);
                    bias_.gradient[c] += static_cast<float>(dx[c]);
                    dx[c] *= gain_.values[c];
                    row_[c] = n;
                    sum += dx[c];
                    product += dx[c] * n;
                }
                for (std::size_t c = 0; c < channels; ++c)
                    dx[c] = (dx[c] - sum / width - row_[c] * (product / width)) / norm.deviation;
            }
            scatter(r, dx);
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<Table*> order;
        std::size_t total = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const TensorInfo& entry = entries[i];
            const auto found = std::find_if(all_.begin(), all_.end(), [&](const Table* table) {
                return std::memcmp(table->info.name, entry.name, sizeof entry.name) == 0;
            });
            if (found == all_.end() || std::find(order.begin(), order.end(), *found) != order.end())
                return {Code::invalid_argument, i};
            if ((*found)->info != entry) return {Code::shape_mismatch, i};
            order.push_back(*found);
            total += (*found)->values.size();
        }
        if (order.size() != all_.size()) return {Code::invalid_argument, entries.size()};
        if (values.size() != total) return {Code::shape_mismatch, entries.size()};
        const float* from = values.data();
        for (Table* table : order) {
            std::memcpy(table->values.data(), from, table->values.size() * sizeof(float));
            from += table->values.size();
        }
        forget();
        return {};
    }

  private:
    struct Norm {
        double mean = 0;
        double deviation = 1; ///< sqrt(variance + 1e-5)
    };

    static std::vector<TensorInfo> infos(const std::vector<Table*>& tables) {
        std::vector<TensorInfo> result;
        for (const Table* table : tables)
            result.push_back(table->info);
        return result;
    }

    bool learned() const { return config_.positions == Positions::learned; }

    bool kept(std::size_t r, std::size_t c) const {
        return uniform(seed_, first_ + r * config_.d_model + c) >= static_cast<double>(config_.dropout);
    }

    /// Computes row r of x in row_.
    Norm sum_row(std::size_t r) {
        const std::size_t channels = config_.d_model;
        const float* token = wte_.row(ids_[r]);
        const float* position = position_.row(start_ + r % time_);
        if (config_.scale_by_sqrt_d)
            for (std::size_t c = 0; c < channels; ++c)
                row_[c] = factor_ * token[c] + position[c];
        else
            for (std::size_t c = 0; c < channels; ++c) {
                const float x = token[c] + position[c];
                row_[c] = x;
            }
        Norm norm;
        if (!config_.layer_norm) return norm;
        double sum = 0;
        for (const double x : row_)
            sum += x;
        norm.mean = sum / static_cast<double>(channels);
        double squares = 0;
        for (const double x : row_)
            squares += (x - norm.mean) * (x - norm.mean);
        norm.deviation = std::sqrt(squares / static_cast<double>(channels) + 1e-5);
        return norm;
    }

    /// Adds dx, the gradient of row r of x, to those of its token and its position.
    template <class Number>
    void scatter(std::size_t r, const std::vector<Number>& dx) {
        const std::size_t id = ids_[r];
        if (config_.padding_idx < 0 || id != static_cast<std::size_t>(config_.padding_idx)) {
            float* to = wte_.gradient_row(id);
            for (std::size_t c = 0; c < dx.size(); ++c)
                to[c] += static_cast<float>(factor_ * dx[c]);
        }
        if (!learned()) return;
        float* to = position_.gradient_row(start_ + r % time_);
        for (std::size_t c = 0; c < dx.size(); ++c)
            to[c] += static_cast<float>(dx[c]);
    }

    /// What was remembered of earlier calls belongs to other tables.
    void forget() {
        recorded_ = false;
        ids_.clear();
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    double keep_;
    double factor_;
    Table wte_;
    Table position_; ///< wpe or pe
    Table gain_;
    Table bias_;
    std::vector<Table*> parameters_;
    std::vector<Table*> buffers_;
    std::vector<Table*> all_;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    std::vector<double> row_;

    // The last successful forward call.
    bool recorded_ = false;
    bool masked_ = false;
    std::uint64_t first_ = 0; ///< number of its first value
    std::size_t batch_ = 0;
    std::size_t time_ = 0;
    std::size_t start_ = 0;
    std::vector<std::uint32_t> ids_;
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
    const std::size_t positions = config.max_positions * config.d_model;
    const bool learned = config.positions == Positions::learned;
    ParameterCount result;
    result.parameters = config.vocab_size * config.d_model;
    if (learned) result.parameters += positions;
    if (config.layer_norm) result.parameters += 2 * config.d_model;
    result.parameter_bytes = 4 * result.parameters;
    result.buffer_bytes = learned ? 0 : 4 * positions;
    return result;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
