// accepted: stage by stage over the whole batch, with a stored mask, and gradients in float
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

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed) : config_(config), seed_(seed) {
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
        norm_ = learned ? 2 : 1;
        for (std::size_t e = 0; e < tables_[position_].value.size(); ++e)
            tables_[position_].value[e] =
                learned ? static_cast<float>(0.01 * standard_normal(~seed, ~e)) : sinusoid(e / C, e % C, C);
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

        Record record;
        record.known = true;
        record.B = ids.rows;
        record.T = T;
        record.start = start;
        std::vector<float> x = gather(ids, start, record);
        if (config_.layer_norm) normalise(x, record);
        record.mask.assign(x.size(), 1.0F);
        if (training_) {
            for (std::size_t e = 0; e < x.size(); ++e)
                record.mask[e] =
                    uniform(seed_, offset_ + e) < double(config_.dropout) ? 0.0F : 1 / (1 - config_.dropout);
            offset_ += x.size();
        }
        for (std::size_t e = 0; e < x.size(); ++e)
            out.data[e] = record.mask[e] == 0 ? 0.0F : x[e] * record.mask[e];
        last_ = std::move(record);
        return {};
    }

    Status backward(Tensor3<const float> dout) override {
        if (!last_.known) return {Code::invalid_argument};
        const std::size_t C = config_.d_model;
        if (dout.batch != last_.B || dout.time != last_.T || dout.channels != C)
            return {Code::shape_mismatch};
        std::vector<float> d(last_.mask.size());
        for (std::size_t e = 0; e < d.size(); ++e)
            d[e] = last_.mask[e] == 0 ? 0.0F : dout.data[e] * last_.mask[e];
        if (config_.layer_norm) normalise_backward(d);
        for (std::size_t n = 0; n < last_.ids.size(); ++n)
            for (std::size_t c = 0; c < C; ++c) {
                const std::size_t row = last_.start + n % last_.T;
                const auto id = static_cast<std::size_t>(last_.ids[n]);
                if (last_.ids[n] != config_.padding_idx)
                    tables_[0].slope[id * C + c] += factor() * d[n * C + c];
                if (config_.positions == Positions::learned) tables_[1].slope[row * C + c] += d[n * C + c];
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
        std::vector<float> normal;  ///< behind LayerNorm, in front of gain and bias
        std::vector<float> inverse; ///< of each row's deviation
        std::vector<float> mask;    ///< 0, or what a value was multiplied by
    };

    std::vector<TensorInfo> infos(bool trained) const {
        std::vector<TensorInfo> result;
        for (const Table& table : tables_)
            if (table.slope.empty() != trained) result.push_back(table.info);
        return result;
    }
    float factor() const {
        return config_.scale_by_sqrt_d ? std::sqrt(static_cast<float>(config_.d_model)) : 1.0F;
    }

    std::vector<float> gather(Ids2D ids, std::size_t start, Record& record) const {
        const std::size_t C = config_.d_model;
        std::vector<float> x;
        for (std::size_t b = 0; b < ids.rows; ++b)
            for (std::size_t t = 0; t < ids.cols; ++t) {
                record.ids.push_back(ids(b, t));
                const float* token = tables_[0].value.data() + static_cast<std::size_t>(ids(b, t)) * C;
                const float* position = tables_[position_].value.data() + (start + t) * C;
                for (std::size_t c = 0; c < C; ++c)
                    x.push_back(token[c] * factor() + position[c]);
            }
        return x;
    }
    void normalise(std::vector<float>& x, Record& record) const {
        const std::size_t C = config_.d_model;
        record.normal.resize(x.size());
        for (std::size_t n = 0; n * C < x.size(); ++n) {
            double sum = 0, squares = 0;
            for (std::size_t c = 0; c < C; ++c)
                sum += x[n * C + c];
            const double mean = sum / static_cast<double>(C);
            for (std::size_t c = 0; c < C; ++c)
                squares += (x[n * C + c] - mean) * (x[n * C + c] - mean);
            const double inverse = 1 / std::sqrt(squares / static_cast<double>(C) + 1e-5);
            record.inverse.push_back(static_cast<float>(inverse));
            for (std::size_t c = 0; c < C; ++c) {
                record.normal[n * C + c] = static_cast<float>((x[n * C + c] - mean) * inverse);
                x[n * C + c] =
                    tables_[norm_].value[c] * record.normal[n * C + c] + tables_[norm_ + 1].value[c];
            }
        }
    }
    void normalise_backward(std::vector<float>& d) {
        const std::size_t C = config_.d_model;
        for (std::size_t n = 0; n * C < d.size(); ++n) {
            double mean = 0, along = 0;
            for (std::size_t c = 0; c < C; ++c) {
                float& g = d[n * C + c];
                const float normal = last_.normal[n * C + c];
                tables_[norm_].slope[c] += g * normal;
                tables_[norm_ + 1].slope[c] += g;
                g *= tables_[norm_].value[c];
                mean += g / static_cast<double>(C);
                along += static_cast<double>(g) * normal / static_cast<double>(C);
            }
            for (std::size_t c = 0; c < C; ++c)
                d[n * C + c] = static_cast<float>((d[n * C + c] - mean - last_.normal[n * C + c] * along) *
                                                  last_.inverse[n]);
        }
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    std::uint64_t offset_ = 0;
    bool training_ = true;
    std::vector<Table> tables_;
    std::size_t position_ = 0; ///< which table has the positions
    std::size_t norm_ = 0;     ///< which has the gain; the bias follows
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
    ParameterCount count;
    count.parameters = config.vocab_size * config.d_model;
    if (config.layer_norm) count.parameters += 2 * config.d_model;
    if (config.positions == Positions::learned)
        count.parameters += config.max_positions * config.d_model;
    else
        count.buffer_bytes = config.max_positions * config.d_model * sizeof(float);
    count.parameter_bytes = count.parameters * sizeof(float);
    return count;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    return validate(config) == ConfigField::none ? std::make_unique<Module>(config, seed) : nullptr;
}

} // namespace exercise
