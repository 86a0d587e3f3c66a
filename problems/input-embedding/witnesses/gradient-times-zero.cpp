// Fault: The padding row gets its gradient times 0 instead of none, so infinity or NaN in dout becomes NaN.
// Origin: round 24
#include "contract.h"

#include <cmath>
#include <cstring>
#include <numbers>
#include <utility>

namespace exercise {
namespace {

bool shaped(const Matrix<float>& m, const TensorInfo& info) {
    return m.rows == info.rows && m.cols == info.cols;
}

/// Normal numbers by Box and Muller, number i from the generator `key`.
double normal(std::uint64_t key, std::uint64_t i) {
    return std::sqrt(-2 * std::log(uniform(key, 2 * i))) * std::cos(2 * std::numbers::pi * uniform(key, 2 * i + 1));
}

struct Parameter {
    TensorInfo info;
    std::vector<float> value, slope;
};

/// Mean and 1 / D of a row.
struct Moments {
    double mean = 0, inverse = 1;
};

/// What backward has to know of a forward call.
struct Call {
    std::vector<TokenId> ids;
    std::size_t batch = 0, time = 0, start = 0;
    std::uint64_t offset = 0;
    bool dropping = false;
    std::vector<Moments> moments;
};

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), seed_(seed), V_(config.vocab_size), C_(config.d_model), P_(config.max_positions) {
        // A hash of the seed, one to one, so that neighbouring seeds have unrelated streams; the position
        // table begins far behind the token table.
        const std::uint64_t key = random_bits(seed, 0);
        const bool learned = config.positions == Positions::learned;
        if (config.scale_by_sqrt_d) factor_ = static_cast<float>(std::sqrt(static_cast<double>(C_)));

        std::vector<float> wte(V_ * C_);
        for (std::size_t i = 0; i < wte.size(); ++i) wte[i] = static_cast<float>(0.02 * normal(key, i));
        if (config.padding_idx >= 0)
            std::fill_n(wte.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(config.padding_idx) * C_),
                        C_, 0.0F);
        add("wte", V_, std::move(wte));

        std::vector<float> positions(P_ * C_);
        if (learned) {
            constexpr std::uint64_t far = std::uint64_t{1} << 62;
            for (std::size_t i = 0; i < positions.size(); ++i)
                positions[i] = static_cast<float>(0.01 * normal(key, far + i));
            add("wpe", P_, std::move(positions));
        } else {
            for (std::size_t pair = 0; pair < C_; pair += 2) {
                const double frequency =
                    std::pow(10'000.0, -static_cast<double>(pair) / static_cast<double>(C_));
                for (std::size_t p = 0; p < P_; ++p) {
                    const double angle = static_cast<double>(p) * frequency;
                    positions[p * C_ + pair] = static_cast<float>(std::sin(angle));
                    if (pair + 1 < C_) positions[p * C_ + pair + 1] = static_cast<float>(std::cos(angle));
                }
            }
            pe_ = std::move(positions);
        }
        if (config.layer_norm) {
            add("gain", 1, std::vector<float>(C_, 1.0F));
            add("bias", 1, std::vector<float>(C_, 0.0F));
        }
    }

    std::vector<TensorInfo> parameters() const override {
        std::vector<TensorInfo> list;
        for (const Parameter& p : parameters_) list.push_back(p.info);
        return list;
    }

    std::vector<TensorInfo> buffers() const override {
        if (config_.positions == Positions::learned) return {};
        return {TensorInfo("pe", P_, C_)};
    }

    std::vector<float> state() const override {
        std::vector<float> all;
        for (const Parameter& p : parameters_) all.insert(all.end(), p.value.begin(), p.value.end());
        all.insert(all.end(), pe_.begin(), pe_.end());
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t B = ids.rows, T = ids.cols;
        if (out.batch != B || out.time != T || out.channels != C_) return Status{Code::shape_mismatch};
        if (start > P_ || T > P_ - start) {
            const std::size_t p = std::max(start, P_);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P_);
        }
        Call call;
        call.batch = B;
        call.time = T;
        call.start = start;
        call.offset = offset_;
        call.dropping = training_;
        if (T > 0) {
            call.ids.reserve(B * T);
            for (std::size_t b = 0; b < B; ++b)
                for (std::size_t t = 0; t < T; ++t) {
                    const TokenId id = ids(b, t);
                    if (id < 0 || static_cast<std::size_t>(id) >= V_)
                        return Status::id_out_of_range(b * T + t, id, V_);
                    call.ids.push_back(id);
                }
        }

        const std::size_t rows = call.ids.size();
        if (config_.layer_norm) call.moments.resize(rows);
        std::vector<float> x(C_);
        const float* gain = config_.layer_norm ? parameters_[parameters_.size() - 2].value.data() : nullptr;
        const float* bias = config_.layer_norm ? parameters_.back().value.data() : nullptr;
        const double keep = 1.0 - static_cast<double>(config_.dropout);
        for (std::size_t r = 0; r < rows; ++r) {
            float* y = out.data + r * C_;
            sum(call, r, x.data());
            if (config_.layer_norm) {
                const Moments m = moments(x.data());
                call.moments[r] = m;
                for (std::size_t c = 0; c < C_; ++c)
                    y[c] = static_cast<float>(static_cast<double>(gain[c]) *
                                                  ((static_cast<double>(x[c]) - m.mean) * m.inverse) +
                                              static_cast<double>(bias[c]));
            } else {
                std::copy(x.begin(), x.end(), y);
            }
            if (call.dropping)
                for (std::size_t c = 0; c < C_; ++c)
                    y[c] = kept(call, r * C_ + c) ? static_cast<float>(static_cast<double>(y[c]) / keep) : 0.0F;
        }
        if (call.dropping) offset_ += static_cast<std::uint64_t>(rows) * C_;
        last_ = std::move(call);
        ran_ = true;
        loaded_ = false;
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const Parameter& p : parameters_) {
            if (name != std::string_view(p.info.name)) continue;
            if (!shaped(out, p.info)) return Status{Code::shape_mismatch};
            for (std::size_t r = 0; r < out.rows; ++r)
                std::copy_n(p.slope.data() + r * out.cols, out.cols, out.row(r));
            return {};
        }
        return Status{Code::invalid_argument};
    }

    void zero_gradients() override {
        for (Parameter& p : parameters_) std::fill(p.slope.begin(), p.slope.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        if (!ran_ || loaded_) return Status{Code::invalid_argument};
        if (dout.batch != last_.batch || dout.time != last_.time || dout.channels != C_)
            return Status{Code::shape_mismatch};
        const std::size_t rows = last_.ids.size();
        const bool learned = config_.positions == Positions::learned;
        const double keep = 1.0 - static_cast<double>(config_.dropout);
        const double factor = static_cast<double>(factor_);
        Parameter* gain = config_.layer_norm ? &parameters_[parameters_.size() - 2] : nullptr;
        Parameter* bias = config_.layer_norm ? &parameters_.back() : nullptr;
        std::vector<float> x(C_);
        std::vector<double> dx(C_), normal_row(C_);
        for (std::size_t r = 0; r < rows; ++r) {
            const float* from = dout.data + r * C_;
            for (std::size_t c = 0; c < C_; ++c) {
                dx[c] = static_cast<double>(from[c]);
                if (last_.dropping) dx[c] = kept(last_, r * C_ + c) ? dx[c] / keep : 0.0;
            }
            if (config_.layer_norm) {
                sum(last_, r, x.data());
                const Moments& m = last_.moments[r];
                double mean_h = 0, mean_hn = 0;
                for (std::size_t c = 0; c < C_; ++c) {
                    const double n = (static_cast<double>(x[c]) - m.mean) * m.inverse;
                    gain->slope[c] = static_cast<float>(static_cast<double>(gain->slope[c]) + dx[c] * n);
                    bias->slope[c] = static_cast<float>(static_cast<double>(bias->slope[c]) + dx[c]);
                    dx[c] *= static_cast<double>(gain->value[c]);
                    normal_row[c] = n;
                    mean_h += dx[c];
                    mean_hn += dx[c] * n;
                }
                mean_h /= static_cast<double>(C_);
                mean_hn /= static_cast<double>(C_);
                for (std::size_t c = 0; c < C_; ++c)
                    dx[c] = (dx[c] - mean_h - normal_row[c] * mean_hn) * m.inverse;
            }
            if (learned) {
                float* to = parameters_[1].slope.data() + (last_.start + r % last_.time) * C_;
                for (std::size_t c = 0; c < C_; ++c)
                    to[c] = static_cast<float>(static_cast<double>(to[c]) + dx[c]);
            }
            const double weight = static_cast<std::int64_t>(last_.ids[r]) == config_.padding_idx ? 0.0 : factor;
            float* to = parameters_[0].slope.data() + static_cast<std::size_t>(last_.ids[r]) * C_;
            for (std::size_t c = 0; c < C_; ++c)
                to[c] = static_cast<float>(static_cast<double>(to[c]) + weight * dx[c]);
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        struct Target {
            TensorInfo info;
            std::vector<float>* to;
            bool seen;
        };
        std::vector<Target> targets;
        for (Parameter& p : parameters_) targets.push_back({p.info, &p.value, false});
        if (config_.positions != Positions::learned) targets.push_back({TensorInfo("pe", P_, C_), &pe_, false});
        std::vector<std::vector<float>*> order;
        std::size_t numbers = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            Target* found = nullptr;
            for (Target& t : targets)
                if (std::memcmp(t.info.name, entries[i].name, sizeof t.info.name) == 0) found = &t;
            if (found == nullptr || found->seen) return Status{Code::invalid_argument, i};
            if (!(found->info == entries[i])) return Status{Code::shape_mismatch, i};
            found->seen = true;
            order.push_back(found->to);
            numbers += found->to->size();
        }
        if (order.size() != targets.size()) return Status{Code::invalid_argument, entries.size()};
        if (values.size() != numbers) return Status{Code::shape_mismatch, entries.size()};
        const float* from = values.data();
        for (std::vector<float>* to : order) {
            std::memcpy(to->data(), from, to->size() * sizeof(float));
            from += to->size();
        }
        loaded_ = true;
        return {};
    }

  private:
    void add(std::string_view name, std::size_t rows, std::vector<float> value) {
        Parameter p;
        p.info = TensorInfo(name, rows, C_);
        p.slope.assign(value.size(), 0.0F);
        p.value = std::move(value);
        parameters_.push_back(std::move(p));
    }

    bool kept(const Call& call, std::uint64_t element) const {
        return uniform(seed_, call.offset + element) >= static_cast<double>(config_.dropout);
    }

    /// Token and position of row r.
    void sum(const Call& call, std::size_t r, float* x) const {
        const float* token = parameters_[0].value.data() + static_cast<std::size_t>(call.ids[r]) * C_;
        const std::vector<float>& table = config_.positions == Positions::learned ? parameters_[1].value : pe_;
        const float* position = table.data() + (call.start + r % call.time) * C_;
        if (config_.scale_by_sqrt_d)
            for (std::size_t c = 0; c < C_; ++c) x[c] = factor_ * token[c] + position[c];
        else
            for (std::size_t c = 0; c < C_; ++c) x[c] = token[c] + position[c];
    }

    Moments moments(const float* x) const {
        const double count = static_cast<double>(C_);
        double mean = 0, variance = 0;
        for (std::size_t c = 0; c < C_; ++c) mean += static_cast<double>(x[c]);
        mean /= count;
        for (std::size_t c = 0; c < C_; ++c) {
            const double d = static_cast<double>(x[c]) - mean;
            variance += d * d;
        }
        variance /= count;
        return {mean, 1 / std::sqrt(variance + 1e-5)};
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    std::size_t V_, C_, P_;
    float factor_ = 1;
    std::vector<Parameter> parameters_;
    std::vector<float> pe_;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    Call last_;
    bool ran_ = false;    ///< some forward call succeeded
    bool loaded_ = false; ///< the state was loaded since
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    if (config.vocab_size == 0) return ConfigField::vocab_size;
    if (config.d_model == 0) return ConfigField::d_model;
    if (config.max_positions == 0) return ConfigField::max_positions;
    if (!(config.dropout >= 0 && config.dropout <= 1)) return ConfigField::dropout;
    if (config.positions != Positions::learned && config.positions != Positions::sinusoidal)
        return ConfigField::positions;
    if (config.padding_idx >= 0 && static_cast<std::size_t>(config.padding_idx) >= config.vocab_size)
        return ConfigField::padding_idx;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    const std::size_t positions = config.max_positions * config.d_model;
    ParameterCount cost;
    cost.parameters = config.vocab_size * config.d_model;
    if (config.positions == Positions::learned) cost.parameters += positions;
    else cost.buffer_bytes = positions * 4;
    if (config.layer_norm) cost.parameters += 2 * config.d_model;
    cost.parameter_bytes = cost.parameters * 4;
    return cost;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
