// right: a list of named tensors on the heap with shared pointers to their numbers, a Mersenne twister per table with a mixed seed, and stages (sum, norm, mask) as separate objects
#include "contract.h"

#include <cmath>
#include <cstring>
#include <deque>
#include <random>

namespace exercise {
namespace {

using Numbers = std::vector<float>;

struct Tensor {
    TensorInfo info;
    std::shared_ptr<Numbers> value;
    Numbers grad; // empty for a buffer
    float* row(std::size_t r) { return value->data() + r * info.cols; }
    float* grad_row(std::size_t r) { return grad.data() + r * info.cols; }
};

Tensor* named(std::deque<Tensor>& list, std::string_view name) {
    for (Tensor& tensor : list)
        if (name == tensor.info.name) return &tensor;
    return nullptr;
}

Tensor fresh(std::string_view name, std::size_t rows, std::size_t cols, bool trained, float value = 0) {
    return {TensorInfo(name, rows, cols), std::make_shared<Numbers>(rows * cols, value), Numbers(trained ? rows * cols : 0)};
}

Tensor random_table(std::string_view name, std::size_t rows, std::size_t cols, double deviation, std::uint64_t seed) {
    Tensor table = fresh(name, rows, cols, true);
    std::mt19937_64 engine(seed);
    std::normal_distribution<double> normal;
    for (float& number : *table.value)
        number = static_cast<float>(deviation * normal(engine));
    return table;
}

Tensor waves(std::size_t rows, std::size_t cols) {
    Tensor table = fresh("pe", rows, cols, false);
    for (std::size_t c = 0; c < cols; ++c) {
        const double period = std::pow(10000.0, static_cast<double>(c / 2 * 2) / static_cast<double>(cols));
        for (std::size_t p = 0; p < rows; ++p) {
            const double phase = static_cast<double>(p) / period;
            table.row(p)[c] = static_cast<float>(c % 2 == 1 ? std::cos(phase) : std::sin(phase));
        }
    }
    return table;
}

// Which values of a call live on, and by what they are divided.
struct Mask {
    bool active = false;
    double p = 0;
    std::uint64_t seed = 0, offset = 0;
    double operator()(double value, std::size_t e) const {
        if (!active) return value;
        return uniform(seed, offset + e) >= p ? value / (1 - p) : 0;
    }
};

// One normalised row.
struct Norm {
    std::vector<double> n;
    double root = 1;
    explicit Norm(std::size_t width) : n(width) {}
    void of(const std::vector<float>& x) {
        const auto width = static_cast<double>(x.size());
        double mean = 0;
        for (const float value : x)
            mean += value;
        mean /= width;
        double variance = 0;
        for (std::size_t c = 0; c < x.size(); ++c) {
            n[c] = x[c] - mean;
            variance += n[c] * n[c];
        }
        root = std::sqrt(variance / width + 1e-5);
        for (double& value : n)
            value /= root;
    }
};

class Staged final : public InputEmbedding {
  public:
    Staged(const InputEmbeddingConfig& config, std::uint64_t seed) : config_(config), seed_(seed) {
        const std::size_t V = config.vocab_size, P = config.max_positions, C = config.d_model;
        const bool learned = config.positions == Positions::learned;
        list_.push_back(random_table("wte", V, C, 0.02, random_bits(seed, 0xA000000000000000)));
        if (config.padding_idx >= 0) std::fill_n(list_[0].row(static_cast<std::size_t>(config.padding_idx)), C, 0.0F);
        if (learned) list_.push_back(random_table("wpe", P, C, 0.01, random_bits(seed, 0xB000000000000000)));
        if (config.layer_norm) {
            list_.push_back(fresh("gain", 1, C, true, 1));
            list_.push_back(fresh("bias", 1, C, true));
        }
        if (!learned) list_.push_back(waves(P, C));
        tokens_ = named(list_, "wte");
        places_ = named(list_, learned ? "wpe" : "pe");
        gain_ = named(list_, "gain");
        bias_ = named(list_, "bias");
    }

    std::vector<TensorInfo> parameters() const override {
        std::vector<TensorInfo> infos;
        for (const Tensor& tensor : list_)
            if (!tensor.grad.empty()) infos.push_back(tensor.info);
        return infos;
    }
    std::vector<TensorInfo> buffers() const override {
        std::vector<TensorInfo> infos;
        for (const Tensor& tensor : list_)
            if (tensor.grad.empty()) infos.push_back(tensor.info);
        return infos;
    }
    std::vector<float> state() const override {
        std::vector<float> all;
        std::size_t size = 0;
        for (const Tensor& tensor : list_)
            size += tensor.value->size();
        all.reserve(size);
        for (const Tensor& tensor : list_)
            all.insert(all.end(), tensor.value->begin(), tensor.value->end());
        return all;
    }
    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t V = config_.vocab_size, P = config_.max_positions, C = config_.d_model;
        if (out.batch != ids.rows || out.time != ids.cols || out.channels != C) return Status{Code::shape_mismatch};
        if (start > P) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), P);
        if (P - start < ids.cols) return Status::position_out_of_range(P - start, static_cast<std::int64_t>(P), P);
        auto call = std::make_unique<Call>();
        call->batch = ids.rows;
        call->time = ids.cols;
        call->start = start;
        call->mask = {training_, config_.dropout, seed_, offset_};
        if (ids.cols > 0) {
            for (std::size_t b = 0; b < ids.rows; ++b) {
                const TokenId* row = ids.row(b);
                for (std::size_t t = 0; t < ids.cols; ++t)
                    if (row[t] < 0 || static_cast<std::size_t>(row[t]) >= V)
                        return Status::id_out_of_range(b * ids.cols + t, row[t], V);
                call->ids.insert(call->ids.end(), row, row + ids.cols);
            }
        }
        std::vector<float> x(C);
        Norm norm(C);
        for (std::size_t r = 0; r < call->ids.size(); ++r) {
            sum(*call, r, x);
            if (gain_ != nullptr) {
                norm.of(x);
                for (std::size_t c = 0; c < C; ++c)
                    x[c] = static_cast<float>(gain_->row(0)[c] * norm.n[c] + bias_->row(0)[c]);
            }
            for (std::size_t c = 0; c < C; ++c)
                out.data[r * C + c] = call->mask.active ? static_cast<float>(call->mask(x[c], r * C + c)) : x[c];
        }
        if (training_) offset_ += static_cast<std::uint64_t>(ids.rows) * ids.cols * C;
        last_ = std::move(call);
        return Status{};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const Tensor& tensor : list_) {
            if (name != tensor.info.name || tensor.grad.empty()) continue;
            if (out.rows != tensor.info.rows || out.cols != tensor.info.cols) return Status{Code::shape_mismatch};
            for (std::size_t r = 0; r < out.rows; ++r)
                std::memcpy(out.row(r), tensor.grad.data() + r * out.cols, out.cols * sizeof(float));
            return Status{};
        }
        return Status{Code::invalid_argument};
    }
    void zero_gradients() override {
        for (Tensor& tensor : list_)
            std::fill(tensor.grad.begin(), tensor.grad.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        if (last_ == nullptr) return Status{Code::invalid_argument};
        const Call& call = *last_;
        const std::size_t C = config_.d_model;
        if (dout.batch != call.batch || dout.time != call.time || dout.channels != C) return Status{Code::shape_mismatch};
        const double factor = config_.scale_by_sqrt_d ? std::sqrt(static_cast<double>(C)) : 1;
        std::vector<float> x(C);
        std::vector<double> d(C);
        Norm norm(C);
        for (std::size_t r = 0; r < call.ids.size(); ++r) {
            for (std::size_t c = 0; c < C; ++c)
                d[c] = call.mask(dout.data[r * C + c], r * C + c);
            if (gain_ != nullptr) {
                sum(call, r, x);
                norm.of(x);
                add(gain_->grad_row(0), C, [&](std::size_t c) { return d[c] * norm.n[c]; });
                add(bias_->grad_row(0), C, [&](std::size_t c) { return d[c]; });
                double h = 0, hn = 0;
                for (std::size_t c = 0; c < C; ++c) {
                    d[c] *= gain_->row(0)[c];
                    h += d[c];
                    hn += d[c] * norm.n[c];
                }
                h /= static_cast<double>(C);
                hn /= static_cast<double>(C);
                for (std::size_t c = 0; c < C; ++c)
                    d[c] = (d[c] - h - norm.n[c] * hn) / norm.root;
            }
            const TokenId id = call.ids[r];
            if (id != config_.padding_idx)
                add(tokens_->grad_row(static_cast<std::size_t>(id)), C, [&](std::size_t c) { return factor * d[c]; });
            if (!places_->grad.empty()) add(places_->grad_row(call.start + r % call.time), C, [&](std::size_t c) { return d[c]; });
        }
        return Status{};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<Tensor*> order;
        std::size_t size = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            Tensor* tensor = named(list_, entries[i].name);
            for (const Tensor* before : order)
                if (before == tensor) tensor = nullptr;
            if (tensor == nullptr) return Status{Code::invalid_argument, i};
            if (tensor->info.rows != entries[i].rows || tensor->info.cols != entries[i].cols)
                return Status{Code::shape_mismatch, i};
            order.push_back(tensor);
            size += tensor->value->size();
        }
        if (order.size() != list_.size()) return Status{Code::invalid_argument, entries.size()};
        if (values.size() != size) return Status{Code::shape_mismatch, entries.size()};
        const float* from = values.data();
        for (Tensor* tensor : order) {
            std::memcpy(tensor->value->data(), from, tensor->value->size() * sizeof(float));
            from += tensor->value->size();
        }
        last_.reset();
        return Status{};
    }

  private:
    struct Call {
        std::size_t batch = 0, time = 0, start = 0;
        Mask mask;
        std::vector<TokenId> ids;
    };

    template <class Term>
    static void add(float* to, std::size_t count, Term term) {
        for (std::size_t c = 0; c < count; ++c)
            to[c] = static_cast<float>(to[c] + term(c));
    }
    void sum(const Call& call, std::size_t r, std::vector<float>& x) {
        const float* token = tokens_->row(static_cast<std::size_t>(call.ids[r]));
        const float* place = places_->row(call.start + r % call.time);
        const double factor = std::sqrt(static_cast<double>(x.size()));
        for (std::size_t c = 0; c < x.size(); ++c)
            x[c] = config_.scale_by_sqrt_d ? static_cast<float>(factor * token[c] + place[c]) : token[c] + place[c];
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    std::deque<Tensor> list_;
    Tensor *tokens_ = nullptr, *places_ = nullptr, *gain_ = nullptr, *bias_ = nullptr;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    std::unique_ptr<Call> last_;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    const std::pair<bool, ConfigField> rules[] = {
        {config.vocab_size > 0, ConfigField::vocab_size},
        {config.d_model > 0, ConfigField::d_model},
        {config.max_positions > 0, ConfigField::max_positions},
        {config.dropout >= 0.0F && config.dropout <= 1.0F, ConfigField::dropout},
        {config.positions == Positions::learned || config.positions == Positions::sinusoidal, ConfigField::positions},
        {config.padding_idx < 0 || static_cast<std::size_t>(config.padding_idx) < config.vocab_size, ConfigField::padding_idx},
    };
    for (const auto& [good, field] : rules)
        if (!good) return field;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    const std::size_t token = config.vocab_size * config.d_model, place = config.max_positions * config.d_model;
    const bool learned = config.positions == Positions::learned;
    const std::size_t trained = token + (learned ? place : 0) + (config.layer_norm ? 2 * config.d_model : 0);
    return {trained, 4 * trained, learned ? 0 : 4 * place};
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return {};
    return std::make_unique<Staged>(config, seed);
}

} // namespace exercise
