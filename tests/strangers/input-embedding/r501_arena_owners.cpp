// right: one arena of numbers in the order of state(); in backward threads own rows first and channels afterwards, so no sum depends on how many threads there are.
#include "contract.h"

#include <array>
#include <cmath>
#include <numbers>
#include <thread>

namespace exercise {
namespace {

/// body(begin, end) over parts of [0, count): on several threads where `cost`, in elements, is worth it. What
/// is written never depends on where the parts end.
template <class Body>
void in_parts(std::size_t count, std::size_t cost, const Body& body) {
    std::size_t parts = cost < 200'000 ? 1 : std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
    parts = std::max<std::size_t>(1, std::min(parts, count));
    const std::size_t each = count / parts, rest = count % parts;
    const auto edge = [&](std::size_t part) { return part * each + std::min(part, rest); };
    std::vector<std::jthread> team;
    for (std::size_t part = 1; part < parts; ++part)
        team.emplace_back([&body, from = edge(part), to = edge(part + 1)] { body(from, to); });
    body(0, edge(1));
}

/// One arena in the order of `state()`: wte, wpe, gain, bias, pe, of which some are missing.
struct Layout {
    struct Slot {
        TensorInfo info;
        std::size_t at = 0;
        std::size_t size() const { return info.rows * info.cols; }
    };
    std::vector<Slot> slots;
    std::size_t trained = 0; ///< so many slots are parameters
    std::size_t trained_size = 0, size = 0;
    std::size_t position = 0, gain = 0, bias = 0; ///< where they begin

    explicit Layout(const InputEmbeddingConfig& config) {
        const bool learned = config.positions == Positions::learned;
        add("wte", config.vocab_size, config.d_model);
        if (learned) position = add("wpe", config.max_positions, config.d_model);
        if (config.layer_norm) {
            gain = add("gain", 1, config.d_model);
            bias = add("bias", 1, config.d_model);
        }
        trained = slots.size();
        trained_size = size;
        if (!learned) position = add("pe", config.max_positions, config.d_model);
    }

    std::size_t add(std::string_view name, std::size_t rows, std::size_t cols) {
        slots.push_back({TensorInfo(name, rows, cols), size});
        size += rows * cols;
        return slots.back().at;
    }
    std::size_t index(std::string_view name) const {
        std::size_t i = 0;
        while (i < slots.size() && name != slots[i].info.name)
            ++i;
        return i;
    }
};

std::uint64_t key_of(std::uint64_t seed, std::uint64_t purpose) {
    std::uint64_t z = (seed ^ (seed >> 31)) * 0x9FB21C651E98DF25u;
    z = (z ^ (z >> 35) ^ purpose * 0xA24BAED4963EE407u) * 0x9FB21C651E98DF25u;
    return z ^ (z >> 28);
}

void draw(float* to, std::size_t size, double deviation, std::uint64_t key) {
    in_parts((size + 1) / 2, size * 8, [=](std::size_t begin, std::size_t end) {
        for (std::size_t pair = begin; pair < end; ++pair) {
            const double length = deviation * std::sqrt(-2 * std::log(uniform(key, 2 * pair)));
            const double turn = 2 * std::numbers::pi * uniform(key, 2 * pair + 1);
            to[2 * pair] = static_cast<float>(length * std::cos(turn));
            if (2 * pair + 1 < size) to[2 * pair + 1] = static_cast<float>(length * std::sin(turn));
        }
    });
}

void clocks(float* to, std::size_t rows, std::size_t cols) {
    std::vector<double> speed(cols);
    for (std::size_t c = 0; c < cols; ++c)
        speed[c] = std::pow(1e4, -static_cast<double>(c & ~std::size_t{1}) / static_cast<double>(cols));
    in_parts(rows, rows * cols * 8, [&](std::size_t begin, std::size_t end) {
        for (std::size_t p = begin; p < end; ++p)
            for (std::size_t c = 0; c < cols; ++c) {
                const double phase = static_cast<double>(p) * speed[c];
                to[p * cols + c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
            }
    });
}

class Layer final : public InputEmbedding {
  public:
    Layer(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), layout_(config), seed_(seed), width_(config.d_model),
          factor_(config.scale_by_sqrt_d ? std::sqrt(static_cast<double>(width_)) : 1.0), numbers_(layout_.size),
          gradients_(layout_.trained_size) {
        draw(numbers_.data(), config.vocab_size * width_, 0.02, key_of(seed, 1));
        if (config.padding_idx >= 0)
            std::fill_n(numbers_.data() + static_cast<std::size_t>(config.padding_idx) * width_, width_, 0.0F);
        float* const positions = numbers_.data() + layout_.position;
        if (config.positions == Positions::learned)
            draw(positions, config.max_positions * width_, 0.01, key_of(seed, 2));
        else
            clocks(positions, config.max_positions, width_);
        if (config.layer_norm) std::fill_n(numbers_.data() + layout_.gain, width_, 1.0F);
    }

    std::vector<TensorInfo> parameters() const override { return infos(0, layout_.trained); }
    std::vector<TensorInfo> buffers() const override { return infos(layout_.trained, layout_.slots.size()); }
    std::vector<float> state() const override { return numbers_; }
    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        if (out.batch != ids.rows || out.time != ids.cols || out.channels != width_)
            return {Code::shape_mismatch};
        if (start > config_.max_positions || ids.cols > config_.max_positions - start) {
            const std::size_t first = std::max(start, config_.max_positions);
            return Status::position_out_of_range(first - start, static_cast<std::int64_t>(first),
                                                 config_.max_positions);
        }
        std::vector<TokenId> tokens;
        if (ids.cols != 0) {
            tokens.reserve(ids.rows * ids.cols);
            for (std::size_t b = 0; b < ids.rows; ++b)
                tokens.insert(tokens.end(), ids.row(b), ids.row(b) + ids.cols);
        }
        for (std::size_t n = 0; n < tokens.size(); ++n)
            if (tokens[n] < 0 || static_cast<std::size_t>(tokens[n]) >= config_.vocab_size)
                return Status::id_out_of_range(n, tokens[n], config_.vocab_size);

        tokens_ = std::move(tokens);
        batch_ = ids.rows, time_ = ids.cols, start_ = start;
        masked_ = training_;
        mask_begin_ = offset_;
        remembers_ = true;
        if (training_) offset_ += static_cast<std::uint64_t>(tokens_.size()) * width_;

        in_parts(tokens_.size(), tokens_.size() * width_, [&](std::size_t begin, std::size_t end) {
            std::vector<float> sums(width_);
            std::vector<double> unit(config_.layer_norm ? width_ : 0);
            const float* const gain = numbers_.data() + layout_.gain;
            const float* const bias = numbers_.data() + layout_.bias;
            for (std::size_t n = begin; n < end; ++n) {
                float* const row = out.data + n * width_;
                add_up(n, sums.data());
                if (config_.layer_norm) {
                    normalise(sums.data(), unit.data());
                    for (std::size_t c = 0; c < width_; ++c)
                        finish(n, c, gain[c] * unit[c] + bias[c], row);
                } else {
                    for (std::size_t c = 0; c < width_; ++c)
                        finish(n, c, sums[c], row);
                }
            }
        });
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        const std::size_t i = layout_.index(name);
        if (i >= layout_.trained) return {Code::invalid_argument};
        const Layout::Slot& slot = layout_.slots[i];
        if (out.rows != slot.info.rows || out.cols != slot.info.cols) return {Code::shape_mismatch};
        for (std::size_t r = 0; r < out.rows; ++r)
            std::copy_n(gradients_.data() + slot.at + r * out.cols, out.cols, out.row(r));
        return {};
    }
    void zero_gradients() override { std::fill(gradients_.begin(), gradients_.end(), 0.0F); }

    Status backward(Tensor3<const float> dout) override {
        if (!remembers_) return {Code::invalid_argument};
        if (dout.batch != batch_ || dout.time != time_ || dout.channels != width_) return {Code::shape_mismatch};

        // Some rows at a time: first threads own rows and leave what each owes to the parameters, then they own
        // channels and collect it, in the order of the rows.
        const bool norm = config_.layer_norm;
        const std::size_t some = std::clamp<std::size_t>((std::size_t{1} << 21) / width_, 1,
                                                         std::max<std::size_t>(1, tokens_.size()));
        std::vector<float> to_sum(some * width_), to_gain(norm ? some * width_ : 0), to_bias(to_gain.size());
        for (std::size_t base = 0; base < tokens_.size(); base += some) {
            const std::size_t rows = std::min(some, tokens_.size() - base);
            in_parts(rows, rows * width_ * 4, [&](std::size_t begin, std::size_t end) {
                std::vector<float> sums(norm ? width_ : 0);
                std::vector<double> unit(sums.size()), h(sums.size());
                for (std::size_t r = begin; r < end; ++r) {
                    const float* const dy = dout.data + (base + r) * width_;
                    float* const dx = to_sum.data() + r * width_;
                    if (!norm) {
                        for (std::size_t c = 0; c < width_; ++c)
                            dx[c] = static_cast<float>(passed(base + r, c, dy[c]));
                        continue;
                    }
                    add_up(base + r, sums.data());
                    const double root = normalise(sums.data(), unit.data());
                    const float* const gain = numbers_.data() + layout_.gain;
                    double mean = 0, along = 0;
                    for (std::size_t c = 0; c < width_; ++c) {
                        const bool alive = kept(base + r, c);
                        const double g = alive ? passed(base + r, c, dy[c]) : 0;
                        to_gain[r * width_ + c] = alive ? static_cast<float>(g * unit[c]) : 0.0F;
                        to_bias[r * width_ + c] = static_cast<float>(g);
                        h[c] = gain[c] * g;
                        mean += h[c];
                        along += h[c] * unit[c];
                    }
                    mean /= static_cast<double>(width_);
                    along /= static_cast<double>(width_);
                    for (std::size_t c = 0; c < width_; ++c)
                        dx[c] = static_cast<float>((h[c] - mean - unit[c] * along) / root);
                }
            });
            in_parts(width_, rows * width_ * 4, [&](std::size_t begin, std::size_t end) {
                const bool learned = config_.positions == Positions::learned;
                for (std::size_t r = 0; r < rows; ++r) {
                    const std::size_t n = base + r;
                    const float* const dx = to_sum.data() + r * width_;
                    if (tokens_[n] != config_.padding_idx) {
                        float* const into = gradients_.data() + static_cast<std::size_t>(tokens_[n]) * width_;
                        for (std::size_t c = begin; c < end; ++c)
                            into[c] = static_cast<float>(into[c] + factor_ * dx[c]);
                    }
                    if (learned) {
                        float* const into =
                            gradients_.data() + layout_.position + (start_ + n % time_) * width_;
                        for (std::size_t c = begin; c < end; ++c)
                            into[c] += dx[c];
                    }
                    if (norm) {
                        float* const dgain = gradients_.data() + layout_.gain;
                        float* const dbias = gradients_.data() + layout_.bias;
                        for (std::size_t c = begin; c < end; ++c) {
                            dgain[c] += to_gain[r * width_ + c];
                            dbias[c] += to_bias[r * width_ + c];
                        }
                    }
                }
            });
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        constexpr std::size_t absent = ~std::size_t{0};
        std::array<std::size_t, 5> from;
        from.fill(absent);
        std::size_t total = 0;
        for (std::size_t e = 0; e < entries.size(); ++e) {
            const std::size_t i = layout_.index(entries[e].name);
            if (i == layout_.slots.size() || from[i] != absent) return {Code::invalid_argument, e};
            if (layout_.slots[i].info != entries[e]) return {Code::shape_mismatch, e};
            from[i] = total;
            total += layout_.slots[i].size();
        }
        for (std::size_t i = 0; i < layout_.slots.size(); ++i)
            if (from[i] == absent) return {Code::invalid_argument, entries.size()};
        if (values.size() != total) return {Code::shape_mismatch, entries.size()};
        for (std::size_t i = 0; i < layout_.slots.size(); ++i)
            std::copy_n(values.data() + from[i], layout_.slots[i].size(), numbers_.data() + layout_.slots[i].at);
        remembers_ = false;
        return {};
    }

  private:
    std::vector<TensorInfo> infos(std::size_t begin, std::size_t end) const {
        std::vector<TensorInfo> list;
        for (; begin < end; ++begin)
            list.push_back(layout_.slots[begin].info);
        return list;
    }
    /// The sums of row n of the last call.
    void add_up(std::size_t n, float* to) const {
        const float* const token = numbers_.data() + static_cast<std::size_t>(tokens_[n]) * width_;
        const float* const position = numbers_.data() + layout_.position + (start_ + n % time_) * width_;
        if (config_.scale_by_sqrt_d)
            for (std::size_t c = 0; c < width_; ++c)
                to[c] = static_cast<float>(factor_ * token[c] + position[c]);
        else
            for (std::size_t c = 0; c < width_; ++c)
                to[c] = token[c] + position[c];
    }
    /// Returns the root of variance + eps.
    double normalise(const float* x, double* unit) const {
        double sum = 0, squares = 0;
        for (std::size_t c = 0; c < width_; ++c)
            sum += x[c];
        const double mean = sum / static_cast<double>(width_);
        for (std::size_t c = 0; c < width_; ++c) {
            unit[c] = x[c] - mean;
            squares += unit[c] * unit[c];
        }
        const double root = std::sqrt(squares / static_cast<double>(width_) + 1e-5);
        for (std::size_t c = 0; c < width_; ++c)
            unit[c] /= root;
        return root;
    }
    bool kept(std::size_t n, std::size_t c) const {
        return !masked_ || uniform(seed_, mask_begin_ + static_cast<std::uint64_t>(n) * width_ + c) >=
                               static_cast<double>(config_.dropout);
    }
    double passed(std::size_t n, std::size_t c, double value) const {
        if (!masked_) return value;
        return kept(n, c) ? value / (1.0 - static_cast<double>(config_.dropout)) : 0.0;
    }
    void finish(std::size_t n, std::size_t c, double value, float* row) const {
        row[c] = static_cast<float>(passed(n, c, value));
    }

    InputEmbeddingConfig config_;
    Layout layout_;
    std::uint64_t seed_;
    std::size_t width_;
    double factor_;
    std::vector<float> numbers_, gradients_;
    bool training_ = true;
    std::uint64_t offset_ = 0;

    // the last forward call
    bool remembers_ = false, masked_ = false;
    std::uint64_t mask_begin_ = 0;
    std::size_t batch_ = 0, time_ = 0, start_ = 0;
    std::vector<TokenId> tokens_;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    const auto fraction = [](float p) { return p >= 0.0F && p <= 1.0F; };
    return config.vocab_size < 1    ? ConfigField::vocab_size
           : config.d_model < 1       ? ConfigField::d_model
           : config.max_positions < 1 ? ConfigField::max_positions
           : !fraction(config.dropout) ? ConfigField::dropout
           : config.positions != Positions::learned && config.positions != Positions::sinusoidal
               ? ConfigField::positions
           : config.padding_idx >= 0 && static_cast<std::uint64_t>(config.padding_idx) >= config.vocab_size
               ? ConfigField::padding_idx
               : ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    const Layout layout(config);
    return {layout.trained_size, layout.trained_size * 4, (layout.size - layout.trained_size) * 4};
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return {};
    return std::make_unique<Layer>(config, seed);
}

} // namespace exercise
