// accepted: one flat array of numbers; each row computed anew in backward, with algorithms, in double
#include "contract.h"

#include <cmath>
#include <numbers>
#include <numeric>
#include <set>
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

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed) : config_(config), seed_(seed) {
        const std::size_t C = config.d_model;
        layout_.emplace_back("wte", config.vocab_size, C);
        if (learned()) layout_.emplace_back("wpe", config.max_positions, C);
        if (config.layer_norm) layout_.emplace_back("gain", 1, C), layout_.emplace_back("bias", 1, C);
        trained_ = std::ssize(layout_);
        if (!learned()) layout_.emplace_back("pe", config.max_positions, C);
        value_.resize(begin_of(layout_.end()));
        gradient_.resize(begin_of(layout_.begin() + trained_));

        const auto fill = [&](std::string_view name, auto&& value) {
            const auto found = find(name);
            for (std::size_t e = 0; found != layout_.end() && e < size(*found); ++e)
                value_[begin_of(found) + e] = static_cast<float>(value(e));
        };
        const std::uint64_t tokens = random_bits(~seed, 0);
        const std::uint64_t positions = random_bits(~seed, 1);
        fill("wte", [&](std::size_t e) {
            return std::cmp_equal(e / C, config.padding_idx) ? 0.0 : 0.02 * standard_normal(tokens, e);
        });
        fill("wpe", [&](std::size_t e) { return 0.01 * standard_normal(positions, e); });
        fill("gain", [](std::size_t) { return 1.0; });
        fill("pe", [&](std::size_t e) { return sinusoid(e / C, e % C, C); });
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

        ids_.resize(N);
        for (std::size_t n = 0; n < N; ++n)
            ids_[n] = ids(n / T, n % T);
        batch_ = ids.rows, time_ = T, start_ = start;
        drops_ = training_, mask_offset_ = offset_, called_ = true;
        if (training_) offset_ += N * C;

        for (std::size_t n = 0; n < N; ++n) {
            const Row values = row(n);
            for (std::size_t c = 0; c < C; ++c) {
                const double y = config_.layer_norm
                                     ? values.normal[c] * static_cast<double>(value_[begin_of("gain") + c]) +
                                           static_cast<double>(value_[begin_of("bias") + c])
                                     : values.x[c];
                out.data[n * C + c] = dropped(n * C + c) ? 0.0F : static_cast<float>(y * kept());
            }
        }
        return {};
    }

    Status backward(Tensor3<const float> dout) override {
        const std::size_t C = config_.d_model;
        if (!called_) return {Code::invalid_argument};
        if (dout.batch != batch_ || dout.time != time_ || dout.channels != C) return {Code::shape_mismatch};

        for (std::size_t n = 0; n < ids_.size(); ++n) {
            std::vector<double> d = input_gradient(n, dout);
            const auto add = [&](std::string_view name, std::size_t r, auto&& value) {
                double* to = gradient_.data() + begin_of(name) + r * C;
                for (std::size_t c = 0; c < C; ++c)
                    to[c] += value(c);
            };
            if (config_.layer_norm) {
                const Row values = row(n);
                add("gain", 0, [&](std::size_t c) { return d[c] * values.normal[c]; });
                add("bias", 0, [&](std::size_t c) { return d[c]; });
                through_norm(values, d);
            }
            if (learned()) add("wpe", start_ + n % time_, [&](std::size_t c) { return d[c]; });
            if (ids_[n] != config_.padding_idx)
                add("wte", static_cast<std::size_t>(ids_[n]), [&](std::size_t c) { return factor() * d[c]; });
        }
        return {};
    }

    std::vector<TensorInfo> parameters() const override {
        return {layout_.begin(), layout_.begin() + trained_};
    }
    std::vector<TensorInfo> buffers() const override { return {layout_.begin() + trained_, layout_.end()}; }
    Status gradient(std::string_view name, Matrix<float> out) const override {
        const auto found = find(name);
        if (found - layout_.begin() >= trained_) return {Code::invalid_argument};
        if (found->rows != out.rows || found->cols != out.cols) return {Code::shape_mismatch};
        const double* from = gradient_.data() + begin_of(found);
        for (std::size_t r = 0; r < out.rows; ++r)
            std::transform(from + r * out.cols, from + (r + 1) * out.cols, out.row(r),
                           [](double value) { return static_cast<float>(value); });
        return {};
    }
    void zero_gradients() override { std::ranges::fill(gradient_, 0.0); }
    std::vector<float> state() const override { return value_; }
    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::set<std::string_view> seen;
        std::vector<float> fresh(value_.size());
        std::size_t at = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const auto found = find(entries[i].name);
            if (found == layout_.end() || !seen.insert(entries[i].name).second)
                return {Code::invalid_argument, i};
            if (*found != entries[i]) return {Code::shape_mismatch, i};
            const std::size_t there = std::min(at, values.size());
            const auto part = values.subspan(there, std::min(values.size() - there, size(*found)));
            std::ranges::copy(part, fresh.begin() + static_cast<std::ptrdiff_t>(begin_of(found)));
            at += size(*found);
        }
        if (seen.size() < layout_.size()) return {Code::invalid_argument, entries.size()};
        if (at != values.size()) return {Code::shape_mismatch, entries.size()};
        value_ = std::move(fresh);
        called_ = false;
        return {};
    }

  private:
    using Infos = std::vector<TensorInfo>;
    static std::size_t size(const TensorInfo& info) { return info.rows * info.cols; }
    Infos::const_iterator find(std::string_view name) const {
        return std::ranges::find_if(layout_, [&](const TensorInfo& info) { return name == info.name; });
    }
    std::size_t begin_of(Infos::const_iterator which) const {
        return std::accumulate(layout_.begin(), which, std::size_t{0},
                               [](std::size_t sum, const TensorInfo& info) { return sum + size(info); });
    }
    std::size_t begin_of(std::string_view name) const { return begin_of(find(name)); }
    bool learned() const { return config_.positions == Positions::learned; }
    double factor() const {
        return config_.scale_by_sqrt_d ? std::sqrt(static_cast<double>(config_.d_model)) : 1.0;
    }

    /// What backward starts from is computed anew: only ids, place and mask of the call are kept.
    struct Row {
        std::vector<double> x, normal;
        double inverse = 0;
    };
    Row row(std::size_t n) const {
        const std::size_t C = config_.d_model;
        Row row{std::vector<double>(C), std::vector<double>(C)};
        const float* token = value_.data() + static_cast<std::size_t>(ids_[n]) * C;
        const float* position = value_.data() + begin_of(learned() ? "wpe" : "pe") + (start_ + n % time_) * C;
        const double scale = factor();
        std::transform(token, token + C, position, row.x.begin(), [scale](float t, float p) {
            return static_cast<double>(
                static_cast<float>(scale * static_cast<double>(t) + static_cast<double>(p)));
        });
        const double mean = std::reduce(row.x.begin(), row.x.end()) / static_cast<double>(C);
        std::ranges::transform(row.x, row.normal.begin(), [mean](double x) { return x - mean; });
        const double squares =
            std::inner_product(row.normal.begin(), row.normal.end(), row.normal.begin(), 0.0);
        row.inverse = 1 / std::sqrt(squares / static_cast<double>(C) + 1e-5);
        for (double& value : row.normal)
            value *= row.inverse;
        return row;
    }
    bool dropped(std::size_t e) const {
        return drops_ && uniform(seed_, mask_offset_ + e) < static_cast<double>(config_.dropout);
    }
    double kept() const { return drops_ ? 1 / (1 - static_cast<double>(config_.dropout)) : 1; }
    std::vector<double> input_gradient(std::size_t n, Tensor3<const float> dout) const {
        const std::size_t C = config_.d_model;
        std::vector<double> d(C);
        for (std::size_t c = 0; c < C; ++c)
            d[c] = dropped(n * C + c) ? 0 : kept() * static_cast<double>(dout.data[n * C + c]);
        return d;
    }
    void through_norm(const Row& values, std::vector<double>& d) const {
        const std::size_t C = config_.d_model;
        const float* gain = value_.data() + begin_of("gain");
        std::transform(d.begin(), d.end(), gain, d.begin(),
                       [](double g, float k) { return g * static_cast<double>(k); });
        const double mean = std::reduce(d.begin(), d.end()) / static_cast<double>(C);
        const double along =
            std::inner_product(d.begin(), d.end(), values.normal.begin(), 0.0) / static_cast<double>(C);
        for (std::size_t c = 0; c < C; ++c)
            d[c] = values.inverse * (d[c] - mean - along * values.normal[c]);
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    std::uint64_t offset_ = 0;
    bool training_ = true;
    Infos layout_;
    std::ptrdiff_t trained_ = 0; ///< how many of the layout are parameters
    std::vector<float> value_;
    std::vector<double> gradient_;
    bool called_ = false;
    std::size_t batch_ = 0, time_ = 0, start_ = 0;
    std::vector<TokenId> ids_;
    bool drops_ = false;
    std::uint64_t mask_offset_ = 0;
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
