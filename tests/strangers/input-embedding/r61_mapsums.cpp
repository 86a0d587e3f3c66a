// right: rows visited from the last to the first, backward collects double sums in a map of touched rows and adds them to the gradients once at the end
#include "contract.h"
#include <cmath>
#include <iterator>
#include <map>
#include <string>

namespace exercise {

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
    const std::size_t V = config.vocab_size, P = config.max_positions, C = config.d_model;
    const bool learned = config.positions == Positions::learned;
    ParameterCount n;
    n.parameters = V * C + (learned ? P * C : 0) + (config.layer_norm ? 2 * C : 0);
    n.parameter_bytes = 4 * n.parameters;
    n.buffer_bytes = learned ? 0 : 4 * P * C;
    return n;
}

namespace {

// Normal numbers 2 k and 2 k + 1 of a stream. float is good enough for a beginning, and much faster.
void two_normals(std::uint64_t stream, std::size_t k, float deviation, float* to, std::size_t count) {
    const float u = static_cast<float>(uniform(stream, 2 * k)), v = static_cast<float>(uniform(stream, 2 * k + 1));
    const float radius = deviation * std::sqrt(-2.0F * std::log(u)), angle = 6.2831853F * v;
    to[0] = radius * std::cos(angle);
    if (count > 1) to[1] = radius * std::sin(angle);
}

struct Tensor {
    std::string name;
    std::size_t rows, cols;
    std::vector<float> value;
    std::vector<float> grad; // empty for a buffer

    Tensor(std::string text, std::size_t r, std::size_t c, float fill, bool trained)
        : name(std::move(text)), rows(r), cols(c), value(r * c, fill), grad(trained ? r * c : 0) {}
    TensorInfo info() const { return TensorInfo(name, rows, cols); }
};

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed) : config_(config), seed_(seed) {
        const std::size_t V = config.vocab_size, P = config.max_positions, C = config.d_model;
        const bool learned = config.positions == Positions::learned;
        tensors_.emplace_back("wte", V, C, 0.0F, true);
        if (learned) tensors_.emplace_back("wpe", P, C, 0.0F, true);
        gain_at_ = tensors_.size();
        if (config.layer_norm) {
            tensors_.emplace_back("gain", 1, C, 1.0F, true);
            tensors_.emplace_back("bias", 1, C, 0.0F, true);
        }
        trained_ = tensors_.size();
        pos_at_ = 1;
        if (!learned) {
            pos_at_ = tensors_.size();
            tensors_.emplace_back("pe", P, C, 0.0F, false);
        }
        draw(tensors_[0].value, 0.02, random_bits(seed, 1));
        if (config.padding_idx >= 0) {
            const auto row = tensors_[0].value.begin() + static_cast<std::ptrdiff_t>(config.padding_idx * static_cast<std::int64_t>(C));
            std::fill(row, row + static_cast<std::ptrdiff_t>(C), 0.0F);
        }
        if (learned) {
            draw(tensors_[1].value, 0.01, random_bits(seed, 2));
        } else {
            for (std::size_t c = 0; c < C; ++c) {
                const double w = std::pow(10000.0, -2.0 * static_cast<double>(c / 2) / static_cast<double>(C));
                for (std::size_t p = 0; p < P; ++p) {
                    const double phase = static_cast<double>(p) * w;
                    tensors_[pos_at_].value[p * C + c] =
                        static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
                }
            }
        }
        factor_ = config.scale_by_sqrt_d ? std::sqrt(static_cast<double>(C)) : 1.0;
    }

    std::vector<TensorInfo> parameters() const override {
        std::vector<TensorInfo> list;
        for (std::size_t i = 0; i < trained_; ++i)
            list.push_back(tensors_[i].info());
        return list;
    }
    std::vector<TensorInfo> buffers() const override {
        std::vector<TensorInfo> list;
        for (std::size_t i = trained_; i < tensors_.size(); ++i)
            list.push_back(tensors_[i].info());
        return list;
    }
    std::vector<float> state() const override {
        std::vector<float> all;
        std::for_each(tensors_.begin(), tensors_.end(),
                      [&](const Tensor& t) { std::copy(t.value.begin(), t.value.end(), std::back_inserter(all)); });
        return all;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        const std::size_t B = ids.rows, T = ids.cols, C = config_.d_model;
        const std::size_t V = config_.vocab_size, P = config_.max_positions;
        if (out.batch != B || out.time != T || out.channels != C) return Status{Code::shape_mismatch};
        if (start > P || T > P - start) {
            const std::size_t p = std::max(start, P);
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
        }
        for (std::size_t b = 0; b < B; ++b)
            for (std::size_t t = 0; t < T; ++t)
                if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                    return Status::id_out_of_range(b * T + t, ids(b, t), V);
        answerable_ = true;
        last_.ids.clear();
        for (std::size_t b = 0; b < B; ++b)
            for (std::size_t t = 0; t < T; ++t)
                last_.ids.push_back(ids(b, t));
        last_.batch = B;
        last_.time = T;
        last_.start = start;
        last_.training = training_;
        last_.offset = offset_;
        if (training_) offset_ += static_cast<std::uint64_t>(B) * T * C;
        std::vector<float> x(C);
        for (std::size_t n = last_.ids.size(); n-- > 0;) { // backwards: nothing depends on the order
            sum(n, x.data());
            if (config_.layer_norm) {
                double mean, root;
                measure(x.data(), mean, root);
                for (std::size_t c = 0; c < C; ++c)
                    x[c] = static_cast<float>(tensors_[gain_at_].value[c] * ((x[c] - mean) / root) +
                                              tensors_[gain_at_ + 1].value[c]);
            }
            for (std::size_t c = 0; c < C; ++c)
                out.data[n * C + c] = kept(n * C + c) ? dropped_scale(x[c]) : 0.0F;
        }
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (std::size_t i = 0; i < trained_; ++i) {
            const Tensor& t = tensors_[i];
            if (t.name != name) continue;
            if (out.rows != t.rows || out.cols != t.cols) return Status{Code::shape_mismatch};
            for (std::size_t r = 0; r < t.rows; ++r)
                std::copy_n(t.grad.data() + r * t.cols, t.cols, out.row(r));
            return {};
        }
        return Status{Code::invalid_argument};
    }
    void zero_gradients() override {
        for (Tensor& t : tensors_)
            std::fill(t.grad.begin(), t.grad.end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        const std::size_t C = config_.d_model;
        if (!answerable_) return Status{Code::invalid_argument};
        if (dout.batch != last_.batch || dout.time != last_.time || dout.channels != C)
            return Status{Code::shape_mismatch};
        std::vector<float> x(C);
        std::vector<double> g(C), h(C);
        // Sums in double of what this call adds, only for rows it touches; the gradients get them at the end.
        std::map<std::pair<std::size_t, std::size_t>, std::vector<double>> sums;
        const auto add = [&](std::size_t tensor, std::size_t row, double factor, const std::vector<double>& what) {
            std::vector<double>& to = sums[{tensor, row}];
            to.resize(C);
            for (std::size_t c = 0; c < C; ++c)
                to[c] += factor * what[c];
        };
        for (std::size_t n = last_.ids.size(); n-- > 0;) {
            for (std::size_t c = 0; c < C; ++c)
                g[c] = kept(n * C + c) ? dropped_scale(dout.data[n * C + c]) : 0.0;
            if (config_.layer_norm) {
                sum(n, x.data());
                double mean, root, mean_h = 0, mean_hn = 0;
                measure(x.data(), mean, root);
                const Tensor& gain = tensors_[gain_at_];
                std::vector<double> to_gain(C);
                for (std::size_t c = 0; c < C; ++c) {
                    const double norm = (x[c] - mean) / root;
                    to_gain[c] = g[c] * norm;
                    h[c] = gain.value[c] * g[c];
                    mean_h += h[c];
                    mean_hn += h[c] * norm;
                }
                add(gain_at_, 0, 1.0, to_gain);
                add(gain_at_ + 1, 0, 1.0, g);
                mean_h /= static_cast<double>(C);
                mean_hn /= static_cast<double>(C);
                for (std::size_t c = 0; c < C; ++c)
                    g[c] = (h[c] - mean_h - (x[c] - mean) / root * mean_hn) / root;
            }
            if (pos_at_ < trained_) add(pos_at_, last_.start + n % last_.time, 1.0, g);
            if (last_.ids[n] != config_.padding_idx) add(0, static_cast<std::size_t>(last_.ids[n]), factor_, g);
        }
        for (const auto& [where, sum] : sums)
            for (std::size_t c = 0; c < C; ++c) {
                float& to = tensors_[where.first].grad[where.second * C + c];
                to = static_cast<float>(to + sum[c]);
            }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<bool> seen(tensors_.size());
        std::vector<std::size_t> order;
        std::size_t total = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            std::size_t which = 0;
            while (which < tensors_.size() && !same_name(tensors_[which].info(), entries[i]))
                ++which;
            if (which == tensors_.size() || seen[which]) return Status{Code::invalid_argument, i};
            if (!(tensors_[which].info() == entries[i])) return Status{Code::shape_mismatch, i};
            seen[which] = true;
            order.push_back(which);
            total += tensors_[which].value.size();
        }
        if (order.size() != tensors_.size()) return Status{Code::invalid_argument, entries.size()};
        if (values.size() != total) return Status{Code::shape_mismatch, entries.size()};
        const float* from = values.data();
        for (std::size_t which : order) {
            std::copy_n(from, tensors_[which].value.size(), tensors_[which].value.begin());
            from += tensors_[which].value.size();
        }
        answerable_ = false;
        return {};
    }

  private:
    static bool same_name(const TensorInfo& a, const TensorInfo& b) {
        return std::equal(std::begin(a.name), std::end(a.name), std::begin(b.name));
    }
    static void draw(std::vector<float>& to, double deviation, std::uint64_t stream) {
        for (std::size_t e = 0; e < to.size(); e += 2)
            two_normals(stream, e / 2, static_cast<float>(deviation), to.data() + e, to.size() - e);
    }
    // x of place n of the last call
    void sum(std::size_t n, float* x) const {
        const std::size_t C = config_.d_model;
        const float* token = tensors_[0].value.data() + static_cast<std::size_t>(last_.ids[n]) * C;
        const float* position = tensors_[pos_at_].value.data() + (last_.start + n % last_.time) * C;
        for (std::size_t c = 0; c < C; ++c)
            x[c] = static_cast<float>(factor_ * token[c] + position[c]);
    }
    void measure(const float* x, double& mean, double& root) const {
        const double C = static_cast<double>(config_.d_model);
        double total = 0, squares = 0;
        for (std::size_t c = 0; c < config_.d_model; ++c)
            total += x[c];
        mean = total / C;
        for (std::size_t c = 0; c < config_.d_model; ++c)
            squares += (x[c] - mean) * (x[c] - mean);
        root = std::sqrt(squares / C + 1e-5);
    }
    bool kept(std::uint64_t e) const {
        return !last_.training || uniform(seed_, last_.offset + e) >= static_cast<double>(config_.dropout);
    }
    float dropped_scale(float y) const { return last_.training ? y / (1.0F - config_.dropout) : y; }

    struct Call {
        std::vector<TokenId> ids;
        std::size_t batch = 0, time = 0, start = 0;
        bool training = true;
        std::uint64_t offset = 0;
    };

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    std::vector<Tensor> tensors_;
    std::size_t trained_ = 0, gain_at_ = 0, pos_at_ = 0;
    double factor_ = 1;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    bool answerable_ = false;
    Call last_;
};

} // namespace

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
