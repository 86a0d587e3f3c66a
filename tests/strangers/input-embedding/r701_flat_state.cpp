// right: all numbers of a module lie in one flat vector and all gradients in another, tensors are offsets; Box-Muller by element number; backward computes rows and mask again from the copied ids
#include "contract.h"

#include <cmath>
#include <cstring>
#include <numbers>

namespace exercise {
namespace {

struct Part {
    TensorInfo info;
    std::size_t at = 0; // its first number in the state
    bool trained = true;
    std::size_t size() const { return info.rows * info.cols; }
    std::string_view name() const { return info.name; }
};

std::vector<Part> layout(const InputEmbeddingConfig& config) {
    std::vector<Part> parts;
    std::size_t at = 0;
    const auto add = [&](std::string_view name, std::size_t rows, bool trained) {
        parts.push_back({TensorInfo(name, rows, config.d_model), at, trained});
        at += parts.back().size();
    };
    const bool learned = config.positions == Positions::learned;
    add("wte", config.vocab_size, true);
    if (learned) add("wpe", config.max_positions, true);
    if (config.layer_norm) add("gain", 1, true), add("bias", 1, true);
    if (!learned) add("pe", config.max_positions, false);
    return parts;
}

// Two independent numbers of N(0, 1) per step.
void draw(std::uint64_t stream, double deviation, float* to, std::size_t count) {
    for (std::size_t i = 0; i < count; i += 2) {
        const double radius = deviation * std::sqrt(-2 * std::log(uniform(stream, i)));
        const double angle = 2 * std::numbers::pi * uniform(stream, i + 1);
        to[i] = static_cast<float>(radius * std::cos(angle));
        if (i + 1 < count) to[i + 1] = static_cast<float>(radius * std::sin(angle));
    }
}

class Flat final : public InputEmbedding {
  public:
    Flat(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), seed_(seed), C_(config.d_model), parts_(layout(config)) {
        std::size_t numbers = 0, trained = 0;
        for (const Part& part : parts_) {
            numbers += part.size();
            if (part.trained) trained += part.size();
        }
        numbers_.resize(numbers);
        gradients_.resize(trained);
        draw(random_bits(seed, 1ULL << 40), 0.02, at("wte"), config.vocab_size * C_);
        if (config.padding_idx >= 0)
            std::fill_n(at("wte") + static_cast<std::size_t>(config.padding_idx) * C_, C_, 0.0F);
        if (float* wpe = at("wpe")) draw(random_bits(seed, 1ULL << 41), 0.01, wpe, config.max_positions * C_);
        if (float* gain = at("gain")) std::fill_n(gain, C_, 1.0F);
        if (float* pe = at("pe")) {
            for (std::size_t c = 0; c < C_; ++c) {
                const double w = std::pow(10000.0, -static_cast<double>(c - c % 2) / static_cast<double>(C_));
                for (std::size_t p = 0; p < config.max_positions; ++p) {
                    const double phase = static_cast<double>(p) * w;
                    pe[p * C_ + c] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
                }
            }
        }
    }

    std::vector<TensorInfo> parameters() const override { return infos(true); }
    std::vector<TensorInfo> buffers() const override { return infos(false); }
    std::vector<float> state() const override { return numbers_; }
    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t V = config_.vocab_size, P = config_.max_positions, B = ids.rows, T = ids.cols;
        if (out.batch != B || out.time != T || out.channels != C_) return Status{Code::shape_mismatch};
        if (start > P || T > P - start) {
            const std::size_t p = std::max(start, P);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
        }
        std::vector<TokenId> copy;
        if (T > 0)
            for (std::size_t b = 0; b < B; ++b)
                for (std::size_t t = 0; t < T; ++t) {
                    const TokenId id = ids(b, t);
                    if (id < 0 || static_cast<std::size_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
                    copy.push_back(id);
                }
        last_ = Call{true, training_, B, T, start, offset_, std::move(copy)};
        if (training_) offset_ += B * T * C_;

        std::vector<float> x(C_);
        for (std::size_t r = 0; r < last_.ids.size(); ++r) {
            sum(last_.ids[r], start + r % T, x.data());
            float* to = out.data + r * C_;
            if (config_.layer_norm) {
                const Spread row = spread(x.data());
                const float *gain = at("gain"), *bias = at("bias");
                for (std::size_t c = 0; c < C_; ++c)
                    to[c] = static_cast<float>(gain[c] * ((x[c] - row.mean) / row.root) + bias[c]);
            } else {
                std::copy(x.begin(), x.end(), to);
            }
            if (!last_.training) continue;
            for (std::size_t c = 0; c < C_; ++c)
                to[c] = kept(last_, r * C_ + c) ? static_cast<float>(to[c] / (1.0 - config_.dropout)) : 0.0F;
        }
        return Status{};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const Part& part : parts_) {
            if (!part.trained || part.name() != name) continue;
            if (out.rows != part.info.rows || out.cols != part.info.cols) return Status{Code::shape_mismatch};
            for (std::size_t r = 0; r < out.rows; ++r)
                std::copy_n(gradients_.data() + part.at + r * C_, C_, out.row(r));
            return Status{};
        }
        return Status{Code::invalid_argument};
    }
    void zero_gradients() override { std::fill(gradients_.begin(), gradients_.end(), 0.0F); }

    Status backward(Tensor3<const float> dout) override {
        if (!last_.valid) return Status{Code::invalid_argument};
        if (dout.batch != last_.B || dout.time != last_.T || dout.channels != C_) return Status{Code::shape_mismatch};
        const double factor = config_.scale_by_sqrt_d ? std::sqrt(static_cast<double>(C_)) : 1.0;
        std::vector<float> x(C_);
        std::vector<double> dx(C_);
        for (std::size_t r = 0; r < last_.ids.size(); ++r) {
            const TokenId id = last_.ids[r];
            const std::size_t position = last_.start + r % last_.T;
            for (std::size_t c = 0; c < C_; ++c) {
                const double d = dout.data[r * C_ + c];
                dx[c] = !last_.training ? d : kept(last_, r * C_ + c) ? d / (1.0 - config_.dropout) : 0.0;
            }
            if (config_.layer_norm) {
                sum(id, position, x.data());
                through_norm(x.data(), dx.data());
            }
            if (id != config_.padding_idx) {
                float* g = gradient_at("wte") + static_cast<std::size_t>(id) * C_;
                for (std::size_t c = 0; c < C_; ++c)
                    g[c] = static_cast<float>(g[c] + factor * dx[c]);
            }
            if (float* all = gradient_at("wpe")) {
                float* g = all + position * C_;
                for (std::size_t c = 0; c < C_; ++c)
                    g[c] = static_cast<float>(g[c] + dx[c]);
            }
        }
        return Status{};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<const Part*> found;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const Part* part = find(entries[i].name);
            if (part == nullptr || std::find(found.begin(), found.end(), part) != found.end())
                return Status{Code::invalid_argument, i};
            if (!(part->info == entries[i])) return Status{Code::shape_mismatch, i};
            found.push_back(part);
        }
        if (found.size() < parts_.size()) return Status{Code::invalid_argument, entries.size()};
        if (values.size() != numbers_.size()) return Status{Code::shape_mismatch, entries.size()};
        const float* from = values.data();
        for (const Part* part : found) {
            std::memcpy(numbers_.data() + part->at, from, part->size() * sizeof(float));
            from += part->size();
        }
        last_.valid = false;
        return Status{};
    }

  private:
    struct Call {
        bool valid = false;
        bool training = false;
        std::size_t B = 0, T = 0, start = 0;
        std::uint64_t offset = 0;
        std::vector<TokenId> ids;
    };
    struct Spread {
        double mean, root;
    };

    const Part* find(std::string_view name) const {
        for (const Part& part : parts_)
            if (part.name() == name) return &part;
        return nullptr;
    }
    float* at(std::string_view name) {
        const Part* part = find(name);
        return part != nullptr ? numbers_.data() + part->at : nullptr;
    }
    float* gradient_at(std::string_view name) {
        const Part* part = find(name);
        return part != nullptr ? gradients_.data() + part->at : nullptr;
    }
    std::vector<TensorInfo> infos(bool trained) const {
        std::vector<TensorInfo> all;
        for (const Part& part : parts_)
            if (part.trained == trained) all.push_back(part.info);
        return all;
    }
    bool kept(const Call& call, std::size_t e) const { return uniform(seed_, call.offset + e) >= config_.dropout; }

    void sum(TokenId id, std::size_t position, float* x) {
        const float* token = at("wte") + static_cast<std::size_t>(id) * C_;
        const float* place = at(config_.positions == Positions::learned ? "wpe" : "pe") + position * C_;
        if (!config_.scale_by_sqrt_d) {
            for (std::size_t c = 0; c < C_; ++c)
                x[c] = token[c] + place[c];
            return;
        }
        const double factor = std::sqrt(static_cast<double>(C_));
        for (std::size_t c = 0; c < C_; ++c)
            x[c] = static_cast<float>(factor * token[c] + place[c]);
    }
    Spread spread(const float* x) const {
        double mean = 0, variance = 0;
        for (std::size_t c = 0; c < C_; ++c)
            mean += x[c];
        mean /= static_cast<double>(C_);
        for (std::size_t c = 0; c < C_; ++c)
            variance += (x[c] - mean) * (x[c] - mean);
        return {mean, std::sqrt(variance / static_cast<double>(C_) + 1e-5)};
    }
    // Turns the gradient of y into that of x, and adds to those of gain and bias.
    void through_norm(const float* x, double* d) {
        const Spread row = spread(x);
        const float* gain = at("gain");
        float *dgain = gradient_at("gain"), *dbias = gradient_at("bias");
        double mean_h = 0, mean_hn = 0;
        for (std::size_t c = 0; c < C_; ++c) {
            const double n = (x[c] - row.mean) / row.root;
            dgain[c] = static_cast<float>(dgain[c] + d[c] * n);
            dbias[c] = static_cast<float>(dbias[c] + d[c]);
            d[c] *= gain[c];
            mean_h += d[c];
            mean_hn += d[c] * n;
        }
        mean_h /= static_cast<double>(C_);
        mean_hn /= static_cast<double>(C_);
        for (std::size_t c = 0; c < C_; ++c)
            d[c] = (d[c] - mean_h - (x[c] - row.mean) / row.root * mean_hn) / row.root;
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    std::size_t C_;
    std::vector<Part> parts_;
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
    if (config.positions != Positions::learned && config.positions != Positions::sinusoidal) return ConfigField::positions;
    if (config.padding_idx >= 0 && static_cast<std::uint64_t>(config.padding_idx) >= config.vocab_size)
        return ConfigField::padding_idx;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    ParameterCount total;
    for (const Part& part : layout(config)) {
        if (part.trained)
            total.parameters += part.size();
        else
            total.buffer_bytes += part.size() * sizeof(float);
    }
    total.parameter_bytes = total.parameters * sizeof(float);
    return total;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Flat>(config, seed);
}

} // namespace exercise
