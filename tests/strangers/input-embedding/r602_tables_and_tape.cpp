// right: a list of table objects found by name, and a tape that forward writes (ids, mask as bits, normalised rows, roots), so that backward asks for neither the mode nor the tables but gain; std::mt19937_64 seeded by seed_seq draws
#include "contract.h"

#include <cmath>
#include <random>

namespace exercise {
namespace {

struct Table {
    TensorInfo info;
    bool trained = true;
    std::vector<float> values;
    std::vector<float> gradients;

    Table(std::string_view name, std::size_t rows, std::size_t cols, bool is_trained)
        : info(name, rows, cols), trained(is_trained), values(rows * cols),
          gradients(is_trained ? rows * cols : 0) {}

    float* row(std::size_t r) { return values.data() + r * info.cols; }
    float* gradient_row(std::size_t r) { return gradients.data() + r * info.cols; }

    void draw(std::uint64_t seed, std::uint32_t which, double deviation) {
        std::seed_seq words{static_cast<std::uint32_t>(seed), static_cast<std::uint32_t>(seed >> 32), which,
                            0x656D6265U};
        std::mt19937_64 engine(words);
        std::normal_distribution<double> normal(0.0, deviation);
        for (float& value : values)
            value = static_cast<float>(normal(engine));
    }
};

/// What a successful forward call leaves behind.
struct Tape {
    std::size_t batch = 0;
    std::size_t time = 0;
    std::size_t start = 0;
    std::vector<std::size_t> ids;
    double divisor = 1;             ///< 1 - p in training
    std::vector<bool> dropped;      ///< empty: none is
    std::vector<float> normalised;  ///< empty: no LayerNorm
    std::vector<double> roots;      ///< of each row
};

class Layer final : public InputEmbedding {
  public:
    Layer(const InputEmbeddingConfig& config, std::uint64_t seed) : config_(config), seed_(seed) {
        const std::size_t c = config.d_model;
        const bool learned = config.positions == Positions::learned;
        tables_.reserve(4);
        tokens_ = &tables_.emplace_back("wte", config.vocab_size, c, true);
        tokens_->draw(seed, 1, 0.02);
        if (config.padding_idx >= 0)
            std::fill_n(tokens_->row(static_cast<std::size_t>(config.padding_idx)), c, 0.0F);
        if (learned) {
            places_ = &tables_.emplace_back("wpe", config.max_positions, c, true);
            places_->draw(seed, 2, 0.01);
        }
        if (config.layer_norm) {
            gain_ = &tables_.emplace_back("gain", 1, c, true);
            std::fill(gain_->values.begin(), gain_->values.end(), 1.0F);
            bias_ = &tables_.emplace_back("bias", 1, c, true);
        }
        if (!learned) {
            places_ = &tables_.emplace_back("pe", config.max_positions, c, false);
            std::vector<double> speeds(c);
            for (std::size_t k = 0; k < c; ++k)
                speeds[k] = std::exp(-std::log(10'000.0) * static_cast<double>(k - k % 2) / static_cast<double>(c));
            for (std::size_t p = 0; p < config.max_positions; ++p)
                for (std::size_t k = 0; k < c; ++k) {
                    const double phase = static_cast<double>(p) * speeds[k];
                    places_->row(p)[k] = static_cast<float>(k % 2 != 0 ? std::cos(phase) : std::sin(phase));
                }
        }
    }

    std::vector<TensorInfo> parameters() const override { return list(true); }
    std::vector<TensorInfo> buffers() const override { return list(false); }

    std::vector<float> state() const override {
        std::vector<float> all;
        std::size_t total = 0;
        for (const Table& table : tables_)
            total += table.values.size();
        all.reserve(total);
        for (const Table& table : tables_) // the buffer is the last one
            all.insert(all.end(), table.values.begin(), table.values.end());
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t width = config_.d_model;
        if (!(out.batch == ids.rows && out.time == ids.cols && out.channels == width))
            return Status{Code::shape_mismatch};
        if (ids.cols > config_.max_positions || start > config_.max_positions - ids.cols) {
            const std::size_t p = std::max(start, config_.max_positions);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p),
                                                 config_.max_positions);
        }
        const std::size_t count = ids.rows * ids.cols;
        Tape tape;
        tape.batch = ids.rows;
        tape.time = ids.cols;
        tape.start = start;
        tape.ids.reserve(count);
        for (std::size_t k = 0; k < count; ++k) {
            const TokenId id = ids(k / ids.cols, k % ids.cols);
            if (id < 0 || static_cast<std::size_t>(id) >= config_.vocab_size)
                return Status::id_out_of_range(k, id, config_.vocab_size);
            tape.ids.push_back(static_cast<std::size_t>(id));
        }

        // 1. The sums.
        const float factor = std::sqrt(static_cast<float>(width));
        for (std::size_t k = 0; k < count; ++k) {
            const float* token = tokens_->row(tape.ids[k]);
            const float* place = places_->row(start + k % ids.cols);
            float* x = out.data + k * width;
            for (std::size_t c = 0; c < width; ++c)
                x[c] = config_.scale_by_sqrt_d ? factor * token[c] + place[c] : token[c] + place[c];
        }
        // 2. LayerNorm.
        if (config_.layer_norm) {
            tape.normalised.resize(count * width);
            tape.roots.resize(count);
            for (std::size_t k = 0; k < count; ++k) {
                float* x = out.data + k * width;
                float* n = tape.normalised.data() + k * width;
                tape.roots[k] = normalise(x, n);
                for (std::size_t c = 0; c < width; ++c)
                    x[c] = static_cast<float>(static_cast<double>(gain_->values[c]) * n[c] + bias_->values[c]);
            }
        }
        // 3. Dropout.
        if (training_) {
            tape.divisor = 1.0 - static_cast<double>(config_.dropout);
            tape.dropped.resize(count * width);
            for (std::size_t e = 0; e < count * width; ++e) {
                tape.dropped[e] = uniform(seed_, offset_ + e) < static_cast<double>(config_.dropout);
                out.data[e] = tape.dropped[e] ? 0.0F : static_cast<float>(out.data[e] / tape.divisor);
            }
            offset_ += count * width;
        }
        tape_ = std::make_unique<Tape>(std::move(tape));
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const Table& table : tables_) {
            if (!table.trained || std::string_view(table.info.name) != name) continue;
            if (out.rows != table.info.rows || out.cols != table.info.cols) return Status{Code::shape_mismatch};
            for (std::size_t r = 0; r < out.rows; ++r)
                for (std::size_t c = 0; c < out.cols; ++c)
                    out(r, c) = table.gradients[r * out.cols + c];
            return {};
        }
        return Status{Code::invalid_argument};
    }

    void zero_gradients() override {
        for (Table& table : tables_)
            table.gradients.assign(table.gradients.size(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        if (tape_ == nullptr) return Status{Code::invalid_argument};
        const std::size_t width = config_.d_model;
        if (dout.batch != tape_->batch || dout.time != tape_->time || dout.channels != width)
            return Status{Code::shape_mismatch};

        std::vector<double> flow(width);
        for (std::size_t k = 0; k < tape_->ids.size(); ++k) {
            // Dropout.
            std::size_t passing = 0;
            for (std::size_t c = 0; c < width; ++c) {
                const std::size_t e = k * width + c;
                const bool dropped = !tape_->dropped.empty() && tape_->dropped[e];
                flow[c] = dropped ? 0.0 : dout.data[e] / tape_->divisor;
                passing += dropped ? 0 : 1;
            }
            if (passing == 0) continue;
            // LayerNorm.
            if (gain_ != nullptr) through_norm(k, flow);
            // The sum.
            if (config_.padding_idx < 0 || tape_->ids[k] != static_cast<std::size_t>(config_.padding_idx)) {
                const double factor = config_.scale_by_sqrt_d ? std::sqrt(static_cast<double>(width)) : 1.0;
                float* to = tokens_->gradient_row(tape_->ids[k]);
                for (std::size_t c = 0; c < width; ++c)
                    to[c] = static_cast<float>(to[c] + factor * flow[c]);
            }
            if (places_->trained) {
                float* to = places_->gradient_row(tape_->start + k % tape_->time);
                for (std::size_t c = 0; c < width; ++c)
                    to[c] = static_cast<float>(to[c] + flow[c]);
            }
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<Table*> targets;
        for (const TensorInfo& entry : entries) {
            Table* target = nullptr;
            for (Table& table : tables_)
                if (std::equal(std::begin(entry.name), std::end(entry.name), std::begin(table.info.name)))
                    target = &table;
            if (std::count(targets.begin(), targets.end(), target) > 0) target = nullptr;
            if (target == nullptr) return Status{Code::invalid_argument, targets.size()};
            if (target->info.rows != entry.rows || target->info.cols != entry.cols)
                return Status{Code::shape_mismatch, targets.size()};
            targets.push_back(target);
        }
        if (targets.size() < tables_.size()) return Status{Code::invalid_argument, entries.size()};
        std::size_t total = 0;
        for (const Table* target : targets)
            total += target->values.size();
        if (total != values.size()) return Status{Code::shape_mismatch, entries.size()};
        for (Table* target : targets) {
            std::copy_n(values.begin(), target->values.size(), target->values.begin());
            values = values.subspan(target->values.size());
        }
        tape_.reset();
        return {};
    }

  private:
    std::vector<TensorInfo> list(bool trained) const {
        std::vector<TensorInfo> infos;
        for (const Table& table : tables_)
            if (table.trained == trained) infos.push_back(table.info);
        return infos;
    }

    /// Writes the normalised row and returns the root it was divided by.
    double normalise(const float* x, float* n) const {
        const std::size_t width = config_.d_model;
        double mean = 0;
        for (std::size_t c = 0; c < width; ++c)
            mean += x[c];
        mean /= static_cast<double>(width);
        double variance = 0;
        for (std::size_t c = 0; c < width; ++c)
            variance += (x[c] - mean) * (x[c] - mean);
        const double root = std::sqrt(variance / static_cast<double>(width) + 1e-5);
        for (std::size_t c = 0; c < width; ++c)
            n[c] = static_cast<float>((x[c] - mean) / root);
        return root;
    }

    void through_norm(std::size_t k, std::vector<double>& flow) {
        const std::size_t width = flow.size();
        const float* n = tape_->normalised.data() + k * width;
        double mean = 0;
        double along = 0;
        for (std::size_t c = 0; c < width; ++c) {
            if (!tape_->dropped.empty() && tape_->dropped[k * width + c]) continue; // nothing passes
            gain_->gradients[c] = static_cast<float>(gain_->gradients[c] + flow[c] * n[c]);
            bias_->gradients[c] = static_cast<float>(bias_->gradients[c] + flow[c]);
            flow[c] *= gain_->values[c];
            mean += flow[c];
            along += flow[c] * n[c];
        }
        mean /= static_cast<double>(width);
        along /= static_cast<double>(width);
        for (std::size_t c = 0; c < width; ++c)
            flow[c] = (flow[c] - mean - n[c] * along) / tape_->roots[k];
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    std::vector<Table> tables_; ///< parameters, then the buffer; never grows after the constructor
    Table* tokens_ = nullptr;
    Table* places_ = nullptr;
    Table* gain_ = nullptr;
    Table* bias_ = nullptr;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    std::unique_ptr<Tape> tape_;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    const bool known = config.positions == Positions::learned || config.positions == Positions::sinusoidal;
    const bool row_exists =
        config.padding_idx < 0 || static_cast<std::uint64_t>(config.padding_idx) < config.vocab_size;
    return config.vocab_size == 0                              ? ConfigField::vocab_size
           : config.d_model == 0                               ? ConfigField::d_model
           : config.max_positions == 0                         ? ConfigField::max_positions
           : !(config.dropout >= 0) || !(config.dropout <= 1)  ? ConfigField::dropout
           : !known                                            ? ConfigField::positions
           : !row_exists                                       ? ConfigField::padding_idx
                                                               : ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    std::size_t rows = config.vocab_size;
    std::size_t fixed = 0;
    (config.positions == Positions::learned ? rows : fixed) += config.max_positions;
    if (config.layer_norm) rows += 2;
    return {rows * config.d_model, rows * config.d_model * sizeof(float),
            fixed * config.d_model * sizeof(float)};
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    std::unique_ptr<InputEmbedding> layer;
    if (validate(config) == ConfigField::none) layer = std::make_unique<Layer>(config, seed);
    return layer;
}

} // namespace exercise
