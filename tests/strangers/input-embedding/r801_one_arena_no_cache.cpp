// right: all tensors lie in one arena in the order of the state, gradients in a second one; backward keeps only ids and offset and computes rows and mask again; tables are drawn by threads, two numbers a Box-Muller point
#include "contract.h"

#include <cmath>
#include <cstring>
#include <numbers>
#include <thread>

namespace exercise {
namespace {

constexpr double epsilon = 1e-5;

// Calls work(first, last) for parts of [0, count), on some threads.
template <class Work>
void in_parts(std::size_t count, Work work) {
    const std::size_t cores = std::clamp<std::size_t>(std::thread::hardware_concurrency(), 1, 8);
    const std::size_t parts = std::clamp<std::size_t>(count / 100'000, 1, cores);
    std::vector<std::thread> threads;
    for (std::size_t i = 1; i < parts; ++i)
        threads.emplace_back(work, count / parts * i, i + 1 == parts ? count : count / parts * (i + 1));
    work(0, parts == 1 ? count : count / parts);
    for (std::thread& thread : threads)
        thread.join();
}

// Elements 2j and 2j + 1 are the two coordinates of a point, from draws `first` and `first` + 1 of the
// sequence that output j of the seed begins.
void draw_normal(float* table, std::size_t count, double deviation, std::uint64_t seed, std::uint64_t first) {
    in_parts((count + 1) / 2, [=](std::size_t from, std::size_t to) {
        for (std::size_t j = from; j < to; ++j) {
            const std::uint64_t own = random_bits(seed, j);
            const double radius = deviation * std::sqrt(-2 * std::log(uniform(own, first)));
            const double angle = 2 * std::numbers::pi * uniform(own, first + 1);
            table[2 * j] = static_cast<float>(radius * std::cos(angle));
            if (2 * j + 1 < count) table[2 * j + 1] = static_cast<float>(radius * std::sin(angle));
        }
    });
}

void draw_waves(float* table, std::size_t rows, std::size_t cols) {
    std::vector<double> frequency((cols + 1) / 2);
    for (std::size_t i = 0; i < frequency.size(); ++i)
        frequency[i] = std::pow(10'000.0, -2.0 * static_cast<double>(i) / static_cast<double>(cols));
    in_parts(rows * cols, [=, &frequency](std::size_t from, std::size_t to) {
        for (std::size_t e = from; e < to; ++e) {
            const std::size_t c = e % cols;
            const double angle = static_cast<double>(e / cols) * frequency[c / 2];
            table[e] = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    });
}

// One row on its way.
struct Normalised {
    double mean = 0, scale = 1; // (x - mean) * scale
};

class Arena final : public InputEmbedding {
  public:
    Arena(const InputEmbeddingConfig& config, std::uint64_t seed)
        : c_(config), seed_(seed), factor_(std::sqrt(static_cast<double>(config.d_model))) {
        const std::size_t C = c_.d_model, V = c_.vocab_size, P = c_.max_positions;
        const bool learned = c_.positions == Positions::learned;
        std::size_t at = 0;
        const auto place = [&](const char* name, std::size_t rows) {
            tensors_.push_back({TensorInfo(name, rows, C), at});
            at += rows * C;
            return tensors_.back().begin;
        };
        wte_ = place("wte", V);
        if (learned) position_ = place("wpe", P);
        if (c_.layer_norm) {
            gain_ = place("gain", 1);
            bias_ = place("bias", 1);
        }
        trained_ = tensors_.size();
        gradients_.assign(at, 0.0F);
        if (!learned) position_ = place("pe", P);
        numbers_.assign(at, 0.0F);

        draw_normal(&numbers_[wte_], V * C, 0.02, seed, 0);
        if (c_.padding_idx >= 0)
            std::fill_n(&numbers_[wte_ + static_cast<std::size_t>(c_.padding_idx) * C], C, 0.0F);
        if (learned)
            draw_normal(&numbers_[position_], P * C, 0.01, seed, 2);
        else
            draw_waves(&numbers_[position_], P, C);
        if (c_.layer_norm) std::fill_n(&numbers_[gain_], C, 1.0F);
    }

    std::vector<TensorInfo> parameters() const override { return list(0, trained_); }
    std::vector<TensorInfo> buffers() const override { return list(trained_, tensors_.size()); }
    std::vector<float> state() const override { return numbers_; }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t B = ids.rows, T = ids.cols, C = c_.d_model, P = c_.max_positions, V = c_.vocab_size;
        if (out.batch != B || out.time != T || out.channels != C) return {Code::shape_mismatch, 0, 0, 0};
        if (start > P || T > P - start) {
            const std::size_t p = std::max(start, P);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
        }
        if (T != 0)
            for (std::size_t b = 0; b < B; ++b)
                for (std::size_t t = 0; t < T; ++t)
                    if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                        return Status::id_out_of_range(b * T + t, ids(b, t), V);

        last_ = {true, training_, B, T, start, offset_, {}};
        if (T != 0)
            for (std::size_t b = 0; b < B; ++b)
                last_.ids.insert(last_.ids.end(), ids.row(b), ids.row(b) + T);
        std::vector<double> x(C);
        for (std::size_t row = 0; row < last_.ids.size(); ++row) {
            const Normalised normal = sum(row, x.data());
            float* to = out.data + row * C;
            for (std::size_t c = 0; c < C; ++c) {
                double y = x[c];
                if (c_.layer_norm)
                    y = static_cast<double>(numbers_[gain_ + c]) * ((y - normal.mean) * normal.scale) +
                        static_cast<double>(numbers_[bias_ + c]);
                to[c] = static_cast<float>(dropped(y, row * C + c));
            }
        }
        if (training_) offset_ += static_cast<std::uint64_t>(B) * T * C;
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (std::size_t i = 0; i < trained_; ++i) {
            const TensorInfo& info = tensors_[i].info;
            if (name != info.name) continue;
            if (out.rows != info.rows || out.cols != info.cols) return {Code::shape_mismatch, 0, 0, 0};
            for (std::size_t r = 0; r < info.rows; ++r)
                std::memcpy(out.row(r), &gradients_[tensors_[i].begin + r * info.cols],
                            info.cols * sizeof(float));
            return {};
        }
        return {Code::invalid_argument, 0, 0, 0};
    }

    void zero_gradients() override { std::fill(gradients_.begin(), gradients_.end(), 0.0F); }

    Status backward(Tensor3<const float> dout) override {
        const std::size_t C = c_.d_model;
        if (!last_.valid) return {Code::invalid_argument, 0, 0, 0};
        if (dout.batch != last_.B || dout.time != last_.T || dout.channels != C)
            return {Code::shape_mismatch, 0, 0, 0};
        std::vector<double> x(C), d(C);
        for (std::size_t row = 0; row < last_.ids.size(); ++row) {
            for (std::size_t c = 0; c < C; ++c)
                d[c] = dropped(static_cast<double>(dout.data[row * C + c]), row * C + c);
            if (c_.layer_norm) {
                const Normalised normal = sum(row, x.data());
                double h_mean = 0, hn_mean = 0;
                for (std::size_t c = 0; c < C; ++c) {
                    x[c] = (x[c] - normal.mean) * normal.scale;
                    add(gain_ + c, d[c] * x[c]);
                    add(bias_ + c, d[c]);
                    d[c] *= static_cast<double>(numbers_[gain_ + c]);
                    h_mean += d[c];
                    hn_mean += d[c] * x[c];
                }
                h_mean /= static_cast<double>(C);
                hn_mean /= static_cast<double>(C);
                for (std::size_t c = 0; c < C; ++c)
                    d[c] = (d[c] - h_mean - x[c] * hn_mean) * normal.scale;
            }
            const TokenId id = last_.ids[row];
            if (id != c_.padding_idx)
                for (std::size_t c = 0; c < C; ++c)
                    add(wte_ + static_cast<std::size_t>(id) * C + c, c_.scale_by_sqrt_d ? factor_ * d[c] : d[c]);
            if (c_.positions == Positions::learned)
                for (std::size_t c = 0; c < C; ++c)
                    add(position_ + (last_.start + row % last_.T) * C + c, d[c]);
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<std::size_t> which;
        std::size_t total = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            std::size_t k = 0;
            while (k < tensors_.size() &&
                   std::string_view(tensors_[k].info.name) != std::string_view(entries[i].name))
                ++k;
            if (k == tensors_.size() || std::find(which.begin(), which.end(), k) != which.end())
                return {Code::invalid_argument, i, 0, 0};
            if (entries[i].rows != tensors_[k].info.rows || entries[i].cols != tensors_[k].info.cols)
                return {Code::shape_mismatch, i, 0, 0};
            which.push_back(k);
            total += tensors_[k].info.rows * tensors_[k].info.cols;
        }
        if (which.size() != tensors_.size()) return {Code::invalid_argument, entries.size(), 0, 0};
        if (total != values.size()) return {Code::shape_mismatch, entries.size(), 0, 0};
        const float* from = values.data();
        for (const std::size_t k : which) {
            const std::size_t count = tensors_[k].info.rows * tensors_[k].info.cols;
            std::memcpy(&numbers_[tensors_[k].begin], from, count * sizeof(float));
            from += count;
        }
        last_.valid = false;
        return {};
    }

  private:
    struct Tensor {
        TensorInfo info;
        std::size_t begin; // in the arena
    };
    struct Call {
        bool valid = false, training = false;
        std::size_t B = 0, T = 0, start = 0;
        std::uint64_t offset = 0;
        std::vector<TokenId> ids;
    };

    std::vector<TensorInfo> list(std::size_t from, std::size_t to) const {
        std::vector<TensorInfo> infos;
        for (; from < to; ++from)
            infos.push_back(tensors_[from].info);
        return infos;
    }

    void add(std::size_t at, double value) {
        gradients_[at] = static_cast<float>(static_cast<double>(gradients_[at]) + value);
    }

    // Value e of the last call after dropout, or a gradient before it.
    double dropped(double value, std::uint64_t e) const {
        if (!last_.training) return value;
        const auto p = static_cast<double>(c_.dropout);
        return uniform(seed_, last_.offset + e) >= p ? value / (1 - p) : 0.0;
    }

    // The sum of token and position in row `row` of the last call, and what normalises it.
    Normalised sum(std::size_t row, double* x) const {
        const std::size_t C = c_.d_model;
        const float* token = &numbers_[wte_ + static_cast<std::size_t>(last_.ids[row]) * C];
        const float* position = &numbers_[position_ + (last_.start + row % last_.T) * C];
        for (std::size_t c = 0; c < C; ++c) {
            if (c_.scale_by_sqrt_d)
                x[c] = factor_ * static_cast<double>(token[c]) + static_cast<double>(position[c]);
            else
                x[c] = static_cast<double>(token[c] + position[c]);
        }
        if (!c_.layer_norm) return {};
        Normalised normal;
        for (std::size_t c = 0; c < C; ++c)
            normal.mean += x[c];
        normal.mean /= static_cast<double>(C);
        double variance = 0;
        for (std::size_t c = 0; c < C; ++c)
            variance += (x[c] - normal.mean) * (x[c] - normal.mean);
        normal.scale = 1 / std::sqrt(variance / static_cast<double>(C) + epsilon);
        return normal;
    }

    InputEmbeddingConfig c_;
    std::uint64_t seed_;
    double factor_;
    std::vector<Tensor> tensors_;
    std::size_t trained_ = 0; // so many of them are parameters
    std::size_t wte_ = 0, position_ = 0, gain_ = 0, bias_ = 0;
    std::vector<float> numbers_, gradients_;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    Call last_;
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
    const bool learned = config.positions == Positions::learned;
    const std::size_t rows =
        config.vocab_size + (learned ? config.max_positions : 0) + (config.layer_norm ? 2 : 0);
    ParameterCount cost;
    cost.parameters = rows * config.d_model;
    cost.parameter_bytes = cost.parameters * 4;
    cost.buffer_bytes = learned ? 0 : config.max_positions * config.d_model * 4;
    return cost;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Arena>(config, seed);
}

} // namespace exercise
