// Fault: Modules of one size share a sinusoidal table, which load_state changes for all of them.
// Origin: round 11
#include "contract.h"

#include <cmath>
#include <map>

namespace exercise {

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed);
    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }
    std::vector<TensorInfo> parameters() const override;
    std::vector<TensorInfo> buffers() const override;
    std::vector<float> state() const override;
    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override;
    Status gradient(std::string_view name, Matrix<float> out) const override;
    void zero_gradients() override;
    Status backward(Tensor3<const float> dout) override;
    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override;

  private:
    bool keep(std::uint64_t offset, std::size_t e) const {
        return uniform(seed_, offset + e) >= static_cast<double>(p_);
    }

    std::size_t V, P, C;
    float p_;
    bool learned_, scale_, norm_;
    std::int64_t padding_;
    std::uint64_t seed_;

    std::vector<float> wte_, wpe_, gain_, bias_;
    std::shared_ptr<std::vector<float>> pe_; // no parameter, so one table is enough for all
    std::vector<float> wte_grad_, wpe_grad_;
    std::vector<double> gain_grad_, bias_grad_;

    bool training_ = true;
    std::uint64_t offset_ = 0;

    // the last forward call
    bool has_forward_ = false;
    std::size_t B_ = 0, T_ = 0, start_ = 0;
    std::vector<TokenId> ids_;
    std::vector<float> normalised_;
    std::vector<double> roots_;
    bool was_training_ = false;
    std::uint64_t was_offset_ = 0;
};

namespace {

void fill_normal(std::vector<float>& values, std::uint64_t seed, std::uint64_t table, double deviation) {
    const std::uint64_t key = random_bits(random_bits(seed, 0) ^ (table * 0xC2B2AE3D27D4EB4Fu), table);
    for (std::size_t i = 0; i < values.size(); i++) {
        const double u1 = uniform(key, 2 * i);
        const double u2 = uniform(key, 2 * i + 1);
        const double z = std::sqrt(-2 * std::log(u1)) * std::cos(6.283185307179586 * u2);
        values[i] = static_cast<float>(deviation * z);
    }
}

std::vector<float> compute_sinusoidal(std::size_t P, std::size_t C) {
    std::vector<float> pe(P * C);
    for (std::size_t p = 0; p < P; p++) {
        for (std::size_t c = 0; c < C; c++) {
            const double w = std::pow(10000.0, -static_cast<double>(c / 2 * 2) / static_cast<double>(C));
            const double angle = static_cast<double>(p) * w;
            pe[p * C + c] = static_cast<float>(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
        }
    }
    return pe;
}

std::shared_ptr<std::vector<float>> make_sinusoidal(std::size_t P, std::size_t C) {
    static std::map<std::pair<std::size_t, std::size_t>, std::shared_ptr<std::vector<float>>> tables;
    auto& table = tables[{P, C}];
    if (table == nullptr) table = std::make_shared<std::vector<float>>(compute_sinusoidal(P, C));
    return table;
}

} // namespace

Module::Module(const InputEmbeddingConfig& config, std::uint64_t seed)
    : V(config.vocab_size), P(config.max_positions), C(config.d_model), p_(config.dropout),
      learned_(config.positions == Positions::learned), scale_(config.scale_by_sqrt_d),
      norm_(config.layer_norm), padding_(config.padding_idx), seed_(seed) {
    wte_.resize(V * C);
    wte_grad_.resize(V * C);
    fill_normal(wte_, seed, 1, 0.02);
    if (padding_ >= 0) {
        for (std::size_t c = 0; c < C; c++) wte_[static_cast<std::size_t>(padding_) * C + c] = 0;
    }
    if (learned_) {
        wpe_.resize(P * C);
        wpe_grad_.resize(P * C);
        fill_normal(wpe_, seed, 2, 0.01);
    } else {
        pe_ = make_sinusoidal(P, C);
    }
    if (norm_) {
        gain_.assign(C, 1.0F);
        bias_.assign(C, 0.0F);
        gain_grad_.assign(C, 0.0);
        bias_grad_.assign(C, 0.0);
    }
}

std::vector<TensorInfo> Module::parameters() const {
    std::vector<TensorInfo> list;
    list.emplace_back("wte", V, C);
    if (learned_) list.emplace_back("wpe", P, C);
    if (norm_) {
        list.emplace_back("gain", 1, C);
        list.emplace_back("bias", 1, C);
    }
    return list;
}

std::vector<TensorInfo> Module::buffers() const {
    std::vector<TensorInfo> list;
    if (!learned_) list.emplace_back("pe", P, C);
    return list;
}

std::vector<float> Module::state() const {
    std::vector<float> all = wte_;
    all.insert(all.end(), wpe_.begin(), wpe_.end());
    all.insert(all.end(), gain_.begin(), gain_.end());
    all.insert(all.end(), bias_.begin(), bias_.end());
    if (!learned_) all.insert(all.end(), pe_->begin(), pe_->end());
    return all;
}

Status Module::forward(Ids2D ids, std::size_t start, Tensor3<float> out) {
    const std::size_t B = ids.rows, T = ids.cols;
    if (out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    for (std::size_t i = 0; i < B * T; i++) {
        const TokenId id = ids(i / T, i % T);
        if (id < 0 || static_cast<std::size_t>(id) >= V) return Status::id_out_of_range(i, id, V);
    }

    has_forward_ = true;
    B_ = B;
    T_ = T;
    start_ = start;
    was_training_ = training_;
    was_offset_ = offset_;
    ids_.resize(B * T);
    for (std::size_t i = 0; i < B * T; i++) ids_[i] = ids(i / T, i % T);
    if (norm_) {
        normalised_.resize(B * T * C);
        roots_.resize(B * T);
    }

    const float* positions = learned_ ? wpe_.data() : pe_->data();
    const double factor = std::sqrt(static_cast<double>(C));
    std::vector<float> x(C);
    for (std::size_t i = 0; i < B * T; i++) {
        const TokenId id = ids(i / T, i % T);
        const float* token = wte_.data() + static_cast<std::size_t>(id) * C;
        const float* position = positions + (start + i % T) * C;
        for (std::size_t c = 0; c < C; c++) {
            if (scale_)
                x[c] = static_cast<float>(factor * token[c] + position[c]);
            else
                x[c] = token[c] + position[c];
        }
        if (norm_) {
            double mean = 0, variance = 0;
            for (std::size_t c = 0; c < C; c++) mean += x[c];
            mean /= static_cast<double>(C);
            for (std::size_t c = 0; c < C; c++) variance += (x[c] - mean) * (x[c] - mean);
            variance /= static_cast<double>(C);
            const double root = std::sqrt(variance + 1e-5);
            roots_[i] = root;
            for (std::size_t c = 0; c < C; c++) {
                const double n = (x[c] - mean) / root;
                normalised_[i * C + c] = static_cast<float>(n);
                x[c] = static_cast<float>(gain_[c] * n + bias_[c]);
            }
        }
        for (std::size_t c = 0; c < C; c++) {
            const std::size_t e = i * C + c;
            if (!training_)
                out.data[e] = x[c];
            else if (keep(offset_, e))
                out.data[e] = static_cast<float>(x[c] / (1.0 - p_));
            else
                out.data[e] = 0.0F;
        }
    }
    if (training_) offset_ += B * T * C;
    return Status{};
}

namespace {

template <class T>
Status copy_gradient(const std::vector<T>& from, std::size_t rows, std::size_t cols, Matrix<float> out) {
    if (out.rows != rows || out.cols != cols) return Status{Code::shape_mismatch};
    for (std::size_t r = 0; r < rows; r++)
        for (std::size_t c = 0; c < cols; c++) out(r, c) = static_cast<float>(from[r * cols + c]);
    return Status{};
}

} // namespace

Status Module::gradient(std::string_view name, Matrix<float> out) const {
    if (name == "wte") return copy_gradient(wte_grad_, V, C, out);
    if (name == "wpe" && learned_) return copy_gradient(wpe_grad_, P, C, out);
    if (name == "gain" && norm_) return copy_gradient(gain_grad_, 1, C, out);
    if (name == "bias" && norm_) return copy_gradient(bias_grad_, 1, C, out);
    return Status{Code::invalid_argument};
}

void Module::zero_gradients() {
    std::fill(wte_grad_.begin(), wte_grad_.end(), 0.0F);
    std::fill(wpe_grad_.begin(), wpe_grad_.end(), 0.0F);
    std::fill(gain_grad_.begin(), gain_grad_.end(), 0.0);
    std::fill(bias_grad_.begin(), bias_grad_.end(), 0.0);
}

Status Module::backward(Tensor3<const float> dout) {
    if (!has_forward_) return Status{Code::invalid_argument};
    if (dout.batch != B_ || dout.time != T_ || dout.channels != C) return Status{Code::shape_mismatch};

    const double factor = scale_ ? std::sqrt(static_cast<double>(C)) : 1.0;
    std::vector<double> d(C);
    std::vector<bool> passes(C);
    for (std::size_t i = 0; i < B_ * T_; i++) {
        bool any = false;
        for (std::size_t c = 0; c < C; c++) {
            passes[c] = !was_training_ || keep(was_offset_, i * C + c);
            any = any || passes[c];
            d[c] = 0;
            if (passes[c]) d[c] = was_training_ ? dout.data[i * C + c] / (1.0 - p_) : dout.data[i * C + c];
        }
        if (!any) continue;
        if (norm_) {
            const float* n = normalised_.data() + i * C;
            double mean_h = 0, mean_hn = 0;
            for (std::size_t c = 0; c < C; c++) {
                if (!passes[c]) continue;
                gain_grad_[c] += d[c] * n[c];
                bias_grad_[c] += d[c];
                d[c] *= gain_[c];
                mean_h += d[c];
                mean_hn += d[c] * n[c];
            }
            mean_h /= static_cast<double>(C);
            mean_hn /= static_cast<double>(C);
            for (std::size_t c = 0; c < C; c++) d[c] = (d[c] - mean_h - n[c] * mean_hn) / roots_[i];
        }
        if (ids_[i] != padding_) {
            float* to = wte_grad_.data() + static_cast<std::size_t>(ids_[i]) * C;
            for (std::size_t c = 0; c < C; c++) to[c] = static_cast<float>(to[c] + factor * d[c]);
        }
        if (learned_) {
            float* to = wpe_grad_.data() + (start_ + i % T_) * C;
            for (std::size_t c = 0; c < C; c++) to[c] = static_cast<float>(to[c] + d[c]);
        }
    }
    return Status{};
}

Status Module::load_state(std::span<const TensorInfo> entries, std::span<const float> values) {
    const auto named = [](const TensorInfo& a, const TensorInfo& b) {
        return std::equal(a.name, a.name + sizeof a.name, b.name);
    };
    std::vector<TensorInfo> own = parameters();
    for (const TensorInfo& buffer : buffers()) own.push_back(buffer);

    std::size_t total = 0;
    for (std::size_t i = 0; i < entries.size(); i++) {
        const TensorInfo* match = nullptr;
        for (const TensorInfo& info : own)
            if (named(info, entries[i])) match = &info;
        for (std::size_t j = 0; j < i; j++)
            if (named(entries[j], entries[i])) match = nullptr;
        if (match == nullptr) return Status{Code::invalid_argument, i};
        if (*match != entries[i]) return Status{Code::shape_mismatch, i};
        total += match->rows * match->cols;
    }
    if (entries.size() != own.size()) return Status{Code::invalid_argument, entries.size()};
    if (values.size() != total) return Status{Code::shape_mismatch, entries.size()};

    std::size_t begin = 0;
    for (const TensorInfo& entry : entries) {
        std::vector<float>* target = &wte_;
        if (named(entry, TensorInfo("wpe", 0, 0))) target = &wpe_;
        if (named(entry, TensorInfo("gain", 0, 0))) target = &gain_;
        if (named(entry, TensorInfo("bias", 0, 0))) target = &bias_;
        if (named(entry, TensorInfo("pe", 0, 0))) target = pe_.get();
        for (float& value : *target) value = values[begin++];
    }
    has_forward_ = false;
    return Status{};
}

ConfigField validate(const InputEmbeddingConfig& config) {
    if (config.vocab_size == 0) return ConfigField::vocab_size;
    if (config.d_model == 0) return ConfigField::d_model;
    if (config.max_positions == 0) return ConfigField::max_positions;
    if (std::isnan(config.dropout) || config.dropout < 0 || config.dropout > 1) return ConfigField::dropout;
    if (config.positions != Positions::learned && config.positions != Positions::sinusoidal)
        return ConfigField::positions;
    if (config.padding_idx >= static_cast<std::int64_t>(config.vocab_size)) return ConfigField::padding_idx;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    ParameterCount result;
    result.parameters = config.vocab_size * config.d_model;
    if (config.positions == Positions::learned) result.parameters += config.max_positions * config.d_model;
    if (config.layer_norm) result.parameters += 2 * config.d_model;
    result.parameter_bytes = result.parameters * 4;
    if (config.positions == Positions::sinusoidal) result.buffer_bytes = config.max_positions * config.d_model * 4;
    return result;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
