// accepted: a chain of stage objects, each with its own forward and backward; LayerNorm in two float passes
#include "contract.h"

#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

namespace exercise {
namespace {

/// One value of N(0, 1) from two uniform numbers (Box and Muller 1958).
double standard_normal(std::uint64_t seed, std::uint64_t e) {
    const std::uint64_t element = random_bits(seed, e);
    return std::sqrt(-2 * std::log(uniform(element, 0))) *
           std::sin(2 * std::numbers::pi * uniform(element, 1));
}

float sinusoid(std::size_t p, std::size_t c, std::size_t C) {
    const double rate =
        std::exp(-std::log(10'000.0) * static_cast<double>(c & ~std::size_t{1}) / static_cast<double>(C));
    const double quarter = c % 2 == 0 ? 0 : std::numbers::pi / 2;
    return static_cast<float>(std::sin(static_cast<double>(p) * rate + quarter));
}

struct Table {
    TensorInfo info;
    std::vector<float> value;
    std::vector<float> slope; ///< empty for a buffer

    Table(std::string_view name, std::size_t rows, std::size_t cols, bool trained)
        : info(name, rows, cols), value(rows * cols), slope(trained ? rows * cols : 0) {}
};

/// A stage turns rows of C values into others, in place, and their gradients back.
class Stage {
  public:
    virtual ~Stage() = default;
    virtual void forward(std::vector<float>& rows) = 0;
    virtual void backward(std::vector<float>& gradients) = 0;
};

class Norm final : public Stage {
  public:
    Norm(Table& gain, Table& bias) : gain_(gain), bias_(bias) {}

    void forward(std::vector<float>& rows) override {
        const std::size_t C = gain_.value.size();
        std::vector<float> squares(C);
        normal_ = rows;
        inverse_.clear();
        for (std::size_t at = 0; at < rows.size(); at += C) {
            const std::span<float> row(normal_.data() + at, C);
            const float mean = average(row);
            for (std::size_t c = 0; c < C; ++c) {
                row[c] -= mean;
                squares[c] = row[c] * row[c];
            }
            inverse_.push_back(1 / std::sqrt(average(squares) + 1e-5F));
            for (std::size_t c = 0; c < C; ++c) {
                row[c] *= inverse_.back();
                rows[at + c] = gain_.value[c] * row[c] + bias_.value[c];
            }
        }
    }
    void backward(std::vector<float>& gradients) override {
        const std::size_t C = gain_.value.size();
        std::vector<float> along(C);
        for (std::size_t at = 0; at < gradients.size(); at += C) {
            const std::span<float> d(gradients.data() + at, C);
            const float* normal = normal_.data() + at;
            for (std::size_t c = 0; c < C; ++c) {
                gain_.slope[c] += d[c] * normal[c];
                bias_.slope[c] += d[c];
                d[c] *= gain_.value[c];
                along[c] = d[c] * normal[c];
            }
            const float mean = average(d);
            const float mean_along = average(along);
            for (std::size_t c = 0; c < C; ++c)
                d[c] = inverse_[at / C] * (d[c] - mean - normal[c] * mean_along);
        }
    }

  private:
    /// Halves are summed apart, so that the error grows with log C.
    static float sum(std::span<const float> values) {
        if (values.size() == 1) return values[0];
        return sum(values.first(values.size() / 2)) + sum(values.subspan(values.size() / 2));
    }
    static float average(std::span<const float> values) {
        return sum(values) / static_cast<float>(values.size());
    }

    Table& gain_;
    Table& bias_;
    std::vector<float> normal_, inverse_;
};

class Dropout final : public Stage {
  public:
    Dropout(float p, std::uint64_t seed, const bool& training) : p_(p), seed_(seed), training_(training) {}

    void forward(std::vector<float>& rows) override {
        active_ = training_;
        first_ = next_;
        if (active_) next_ += rows.size();
        apply(rows);
    }
    void backward(std::vector<float>& gradients) override { apply(gradients); }

  private:
    void apply(std::vector<float>& values) const {
        for (std::size_t e = 0; active_ && e < values.size(); ++e)
            values[e] = uniform(seed_, first_ + e) >= static_cast<double>(p_) ? values[e] / (1 - p_) : 0.0F;
    }

    float p_;
    std::uint64_t seed_;
    const bool& training_;
    std::uint64_t first_ = 0, next_ = 0;
    bool active_ = false;
};

class Module final : public InputEmbedding {
  public:
    Module(const Module&) = delete; // stages refer to its tables
    Module(const InputEmbeddingConfig& config, std::uint64_t seed) : config_(config) {
        const std::size_t C = config.d_model;
        const bool learned = config.positions == Positions::learned;
        tables_.emplace_back("wte", config.vocab_size, C, true);
        for (std::size_t e = 0; e < tables_[0].value.size(); ++e)
            if (!std::cmp_equal(e / C, config.padding_idx))
                tables_[0].value[e] = static_cast<float>(0.02 * standard_normal(~seed, e));
        if (learned) tables_.emplace_back("wpe", config.max_positions, C, true);
        if (config.layer_norm) {
            tables_.emplace_back("gain", 1, C, true).value.assign(C, 1.0F);
            tables_.emplace_back("bias", 1, C, true);
        }
        if (!learned) tables_.emplace_back("pe", config.max_positions, C, false);
        position_ = learned ? 1 : tables_.size() - 1;
        for (std::size_t e = 0; e < tables_[position_].value.size(); ++e)
            tables_[position_].value[e] =
                learned ? static_cast<float>(0.01 * standard_normal(~seed, ~e)) : sinusoid(e / C, e % C, C);
        Table* gain = tables_.data() + (learned ? 2 : 1);
        if (config.layer_norm) stages_.push_back(std::make_unique<Norm>(gain[0], gain[1]));
        stages_.push_back(std::make_unique<Dropout>(config.dropout, seed, training_));
    }
    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t T = ids.cols;
        const std::size_t C = config_.d_model;
        const std::size_t P = config_.max_positions;
        const std::size_t N = ids.rows * T;
        if (out.batch != ids.rows || out.time != T || out.channels != C) return {Code::shape_mismatch};
        if (const std::size_t first = std::max(start, P); start > P || T > P - start)
            return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first), P);
        for (std::size_t n = 0; n < N; ++n)
            if (const TokenId id = ids(n / T, n % T);
                id < 0 || std::cmp_greater_equal(id, config_.vocab_size))
                return Status::id_out_of_range(n, id, config_.vocab_size);

        last_ = {true, ids.rows, T, start, {}};
        std::vector<float> rows(N * C);
        for (std::size_t n = 0; n < N; ++n) {
            last_.ids.push_back(ids(n / T, n % T));
            const float* token = tables_[0].value.data() + static_cast<std::size_t>(last_.ids[n]) * C;
            const float* position = tables_[position_].value.data() + (start + n % T) * C;
            for (std::size_t c = 0; c < C; ++c)
                rows[n * C + c] = position[c] + scale_ * token[c];
        }
        for (const auto& stage : stages_)
            stage->forward(rows);
        std::ranges::copy(rows, out.data);
        return {};
    }

    Status backward(Tensor3<const float> dout) override {
        if (!last_.known) return {Code::invalid_argument};
        const std::size_t C = config_.d_model;
        if (dout.batch != last_.B || dout.time != last_.T || dout.channels != C)
            return {Code::shape_mismatch};
        std::vector<float> d(dout.data, dout.data + last_.ids.size() * C);
        for (auto stage = stages_.rbegin(); stage != stages_.rend(); ++stage)
            (*stage)->backward(d);
        for (std::size_t n = 0; n < last_.ids.size(); ++n) {
            if (const TokenId id = last_.ids[n]; id != config_.padding_idx)
                add(tables_[0], static_cast<std::size_t>(id), scale_, d.data() + n * C);
            if (config_.positions == Positions::learned)
                add(tables_[1], last_.start + n % last_.T, 1, d.data() + n * C);
        }
        return {};
    }

    std::vector<TensorInfo> parameters() const override { return infos(true); }
    std::vector<TensorInfo> buffers() const override { return infos(false); }
    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const Table& table : tables_)
            if (table.info.name == name && !table.slope.empty()) {
                if (out.rows != table.info.rows || out.cols != table.info.cols) return {Code::shape_mismatch};
                for (std::size_t r = 0; r < out.rows; ++r)
                    std::copy_n(table.slope.data() + r * out.cols, out.cols, out.row(r));
                return {};
            }
        return {Code::invalid_argument};
    }
    void zero_gradients() override {
        for (Table& table : tables_)
            std::ranges::fill(table.slope, 0.0F);
    }
    std::vector<float> state() const override {
        std::vector<float> all;
        for (const Table& table : tables_)
            all.insert(all.end(), table.value.begin(), table.value.end());
        return all;
    }
    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<std::vector<float>> fresh(tables_.size()); // exchanged for the old ones when all is well
        std::vector<bool> came(tables_.size());
        std::size_t at = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            std::size_t which = 0;
            while (which < tables_.size() && std::strcmp(tables_[which].info.name, entries[i].name) != 0)
                ++which;
            if (which == tables_.size() || came[which]) return {Code::invalid_argument, i};
            if (!(tables_[which].info == entries[i])) return {Code::shape_mismatch, i};
            came[which] = true;
            const std::size_t count = entries[i].rows * entries[i].cols;
            if (at + count <= values.size()) {
                const auto part = values.subspan(at, count);
                fresh[which].assign(part.begin(), part.end());
            }
            at += count;
        }
        if (std::ranges::count(came, false) > 0) return {Code::invalid_argument, entries.size()};
        if (at != values.size()) return {Code::shape_mismatch, entries.size()};
        for (std::size_t which = 0; which < tables_.size(); ++which)
            tables_[which].value.swap(fresh[which]);
        last_.known = false;
        return {};
    }

  private:
    struct Record {
        bool known = false;
        std::size_t B = 0, T = 0, start = 0;
        std::vector<TokenId> ids;
    };

    std::vector<TensorInfo> infos(bool trained) const {
        std::vector<TensorInfo> result;
        for (const Table& table : tables_)
            if (table.slope.empty() != trained) result.push_back(table.info);
        return result;
    }
    static void add(Table& table, std::size_t row, float factor, const float* gradient) {
        float* to = table.slope.data() + row * table.info.cols;
        for (std::size_t c = 0; c < table.info.cols; ++c)
            to[c] += factor * gradient[c];
    }

    InputEmbeddingConfig config_;
    float scale_ = config_.scale_by_sqrt_d ? std::sqrt(static_cast<float>(config_.d_model)) : 1.0F;
    bool training_ = true;
    std::vector<Table> tables_;
    std::size_t position_ = 0; ///< which table has the positions
    std::vector<std::unique_ptr<Stage>> stages_;
    Record last_;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    const std::pair<ConfigField, bool> checks[] = {
        {ConfigField::vocab_size, config.vocab_size > 0},
        {ConfigField::d_model, config.d_model > 0},
        {ConfigField::max_positions, config.max_positions > 0},
        {ConfigField::dropout, 0 <= config.dropout && config.dropout <= 1},
        {ConfigField::positions,
         config.positions == Positions::learned || config.positions == Positions::sinusoidal},
        {ConfigField::padding_idx, config.padding_idx < static_cast<std::int64_t>(config.vocab_size)}};
    const auto wrong = std::ranges::find(checks, false, &std::pair<ConfigField, bool>::second);
    return wrong == std::end(checks) ? ConfigField::none : wrong->first;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    const bool learned = config.positions == Positions::learned;
    const std::size_t others = (learned ? config.max_positions : 0) + (config.layer_norm ? 2 : 0);
    const std::size_t numbers = (config.vocab_size + others) * config.d_model;
    const std::size_t buffers = learned ? 0 : config.max_positions * config.d_model;
    return {numbers, sizeof(float) * numbers, sizeof(float) * buffers};
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    return validate(config) == ConfigField::none ? std::make_unique<Module>(config, seed) : nullptr;
}

} // namespace exercise
