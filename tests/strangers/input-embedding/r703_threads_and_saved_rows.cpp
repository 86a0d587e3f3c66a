// right: forward keeps sums, means, roots and the mask as bits for backward; up to four threads over rows in forward and over blocks of channels in the scatter; the caller does what no thread can be had for
#include "contract.h"

#include <cmath>
#include <cstring>
#include <functional>
#include <numbers>
#include <system_error>
#include <thread>

namespace exercise {
namespace {

// work(first, last) on parts of [0, count), small counts by the caller alone.
void share(std::size_t count, std::size_t grain, const std::function<void(std::size_t, std::size_t)>& work) {
    constexpr std::size_t most = 4;
    const std::size_t parts = std::min(most, count / grain);
    if (parts < 2) return work(0, count);
    std::thread threads[most];
    for (std::size_t k = 1; k < parts; ++k) {
        const std::size_t first = count / parts * k, last = k + 1 == parts ? count : count / parts * (k + 1);
        try {
            threads[k] = std::thread(work, first, last);
        } catch (const std::system_error&) {
            work(first, last);
        }
    }
    work(0, count / parts);
    for (std::thread& thread : threads)
        if (thread.joinable()) thread.join();
}

// Number `index` of a stream of N(0, 1).
double gauss(std::uint64_t stream, std::uint64_t index) {
    return std::sqrt(-2 * std::log(uniform(stream, 2 * index))) *
           std::cos(2 * std::numbers::pi * uniform(stream, 2 * index + 1));
}

struct Weights {
    std::vector<float> wte, wpe, gain, bias, pe;
};

class Threaded final : public InputEmbedding {
  public:
    Threaded(const InputEmbeddingConfig& config, std::uint64_t seed)
        : V_(config.vocab_size), P_(config.max_positions), C_(config.d_model), p_(config.dropout),
          padding_(config.padding_idx), learned_(config.positions == Positions::learned), norm_(config.layer_norm),
          factor_(config.scale_by_sqrt_d ? std::sqrt(static_cast<double>(config.d_model)) : 1), scaled_(config.scale_by_sqrt_d),
          seed_(seed) {
        value_.wte.resize(V_ * C_);
        grad_.wte.resize(V_ * C_);
        const std::uint64_t tokens = random_bits(~seed, 1), places = random_bits(~seed, 2);
        share(value_.wte.size(), 4096, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i)
                value_.wte[i] = static_cast<float>(0.02 * gauss(tokens, i));
        });
        for (std::size_t c = 0; padding_ >= 0 && c < C_; ++c)
            value_.wte[static_cast<std::size_t>(padding_) * C_ + c] = 0;
        std::vector<float>& table = learned_ ? value_.wpe : value_.pe;
        table.resize(P_ * C_);
        if (learned_) grad_.wpe.resize(P_ * C_);
        std::vector<double> speed(C_);
        for (std::size_t c = 0; c < C_; ++c)
            speed[c] = std::exp(-std::log(10000.0) * static_cast<double>(c & ~std::size_t{1}) / static_cast<double>(C_));
        share(P_, 16, [&](std::size_t first, std::size_t last) {
            for (std::size_t p = first; p < last; ++p)
                for (std::size_t c = 0; c < C_; ++c) {
                    const double phase = static_cast<double>(p) * speed[c];
                    const double number = learned_ ? 0.01 * gauss(places, p * C_ + c) : (c & 1) != 0 ? std::cos(phase) : std::sin(phase);
                    table[p * C_ + c] = static_cast<float>(number);
                }
        });
        if (norm_) {
            value_.gain.assign(C_, 1);
            value_.bias.assign(C_, 0);
            grad_.gain.assign(C_, 0);
            grad_.bias.assign(C_, 0);
        }
    }

    std::vector<TensorInfo> parameters() const override {
        std::vector<TensorInfo> list{{"wte", V_, C_}};
        if (learned_) list.emplace_back("wpe", P_, C_);
        if (norm_) {
            list.emplace_back("gain", 1, C_);
            list.emplace_back("bias", 1, C_);
        }
        return list;
    }
    std::vector<TensorInfo> buffers() const override {
        std::vector<TensorInfo> list;
        if (!learned_) list.emplace_back("pe", P_, C_);
        return list;
    }
    std::vector<float> state() const override {
        std::vector<float> all;
        all.reserve(value_.wte.size() + P_ * C_ + 2 * C_);
        for (const std::vector<float>* part : {&value_.wte, &value_.wpe, &value_.gain, &value_.bias, &value_.pe})
            all.insert(all.end(), part->begin(), part->end());
        return all;
    }
    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        if (out.batch != ids.rows || out.time != ids.cols || out.channels != C_) return Status{Code::shape_mismatch};
        const std::size_t p = std::max(start, P_);
        if (start > P_ || p - start < ids.cols)
            return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P_);
        const std::size_t rows = ids.cols == 0 ? 0 : ids.rows * ids.cols;
        for (std::size_t r = 0; r < rows; ++r) {
            const TokenId id = ids(r / ids.cols, r % ids.cols);
            if (id < 0 || static_cast<std::size_t>(id) >= V_) return Status::id_out_of_range(r, id, V_);
        }
        Record now;
        now.known = true;
        now.training = training_;
        now.batch = ids.rows;
        now.time = ids.cols;
        now.start = start;
        now.token.resize(rows);
        if (training_) now.dropped.resize(rows * words());
        if (norm_) {
            now.x.resize(rows * C_);
            now.mean.resize(rows);
            now.root.resize(rows);
        }
        share(rows, 64, [&](std::size_t first, std::size_t last) {
            std::vector<float> x(C_);
            for (std::size_t r = first; r < last; ++r) {
                now.token[r] = static_cast<std::size_t>(ids(r / ids.cols, r % ids.cols));
                add(now.token[r], start + r % ids.cols, x);
                float* to = out.data + r * C_;
                if (norm_) {
                    normalise(x, now.mean[r], now.root[r]);
                    std::copy(x.begin(), x.end(), now.x.begin() + static_cast<std::ptrdiff_t>(r * C_));
                    for (std::size_t c = 0; c < C_; ++c) {
                        const double n = (x[c] - now.mean[r]) / now.root[r];
                        x[c] = static_cast<float>(n * value_.gain[c] + value_.bias[c]);
                    }
                }
                for (std::size_t c = 0; c < C_; ++c) {
                    to[c] = x[c];
                    if (!training_) continue;
                    const bool dropped = uniform(seed_, offset_ + r * C_ + c) < p_;
                    if (dropped) now.dropped[r * words() + c / 64] |= std::uint64_t{1} << c % 64;
                    to[c] = dropped ? 0.0F : static_cast<float>(x[c] / (1 - p_));
                }
            }
        });
        if (training_) offset_ += rows * C_;
        last_ = std::move(now);
        return Status{};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        const std::vector<float>* from = nullptr;
        std::size_t rows = 1;
        if (name == "wte") from = &grad_.wte, rows = V_;
        if (name == "wpe" && learned_) from = &grad_.wpe, rows = P_;
        if (name == "gain" && norm_) from = &grad_.gain;
        if (name == "bias" && norm_) from = &grad_.bias;
        if (from == nullptr) return Status{Code::invalid_argument};
        if (out.rows != rows || out.cols != C_) return Status{Code::shape_mismatch};
        for (std::size_t i = 0; i < from->size(); ++i)
            out(i / C_, i % C_) = (*from)[i];
        return Status{};
    }
    void zero_gradients() override {
        for (std::vector<float>* part : {&grad_.wte, &grad_.wpe, &grad_.gain, &grad_.bias})
            std::fill(part->begin(), part->end(), 0.0F);
    }

    Status backward(Tensor3<const float> dout) override {
        if (!last_.known) return Status{Code::invalid_argument};
        if (dout.batch != last_.batch || dout.time != last_.time || dout.channels != C_) return Status{Code::shape_mismatch};
        const std::size_t rows = last_.token.size();
        std::vector<double> mean_h(norm_ ? rows : 0), mean_hn(norm_ ? rows : 0);
        if (norm_)
            share(rows, 64, [&](std::size_t first, std::size_t last) {
                for (std::size_t r = first; r < last; ++r) {
                    for (std::size_t c = 0; c < C_; ++c) {
                        const double h = value_.gain[c] * dy(dout, r, c);
                        mean_h[r] += h / static_cast<double>(C_);
                        mean_hn[r] += h * n(r, c) / static_cast<double>(C_);
                    }
                }
            });
        // A thread has its channels to itself, so each sum has one order.
        share(C_, 64, [&](std::size_t first, std::size_t last) {
            for (std::size_t r = 0; r < rows; ++r) {
                const bool trained = padding_ < 0 || last_.token[r] != static_cast<std::size_t>(padding_);
                float* dwte = grad_.wte.data() + last_.token[r] * C_;
                float* dwpe = grad_.wpe.data() + (learned_ ? (last_.start + r % last_.time) * C_ : 0);
                for (std::size_t c = first; c < last; ++c) {
                    double d = dy(dout, r, c);
                    if (norm_) {
                        grad_.gain[c] = static_cast<float>(grad_.gain[c] + d * n(r, c));
                        grad_.bias[c] = static_cast<float>(grad_.bias[c] + d);
                        d = (value_.gain[c] * d - mean_h[r] - n(r, c) * mean_hn[r]) / last_.root[r];
                    }
                    if (trained) dwte[c] = static_cast<float>(dwte[c] + factor_ * d);
                    if (learned_) dwpe[c] = static_cast<float>(dwpe[c] + d);
                }
            }
        });
        return Status{};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<TensorInfo> own = parameters();
        for (const TensorInfo& buffer : buffers())
            own.push_back(buffer);
        std::vector<bool> seen(own.size());
        std::vector<std::size_t> order;
        std::size_t needed = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            std::size_t k = 0;
            while (k < own.size() && std::string_view(own[k].name) != entries[i].name)
                ++k;
            if (k == own.size() || seen[k]) return Status{Code::invalid_argument, i};
            if (own[k] != entries[i]) return Status{Code::shape_mismatch, i};
            seen[k] = true;
            order.push_back(k);
            needed += own[k].rows * own[k].cols;
        }
        if (order.size() != own.size()) return Status{Code::invalid_argument, entries.size()};
        if (values.size() != needed) return Status{Code::shape_mismatch, entries.size()};
        std::size_t at = 0;
        for (const std::size_t k : order) {
            const std::string_view name = own[k].name;
            std::vector<float>& to = name == "wte" ? value_.wte : name == "wpe" ? value_.wpe : name == "gain" ? value_.gain
                                     : name == "bias" ? value_.bias : value_.pe;
            std::memcpy(to.data(), values.data() + at, to.size() * sizeof(float));
            at += to.size();
        }
        last_ = Record{};
        return Status{};
    }

  private:
    struct Record {
        bool known = false, training = false;
        std::size_t batch = 0, time = 0, start = 0;
        std::vector<std::size_t> token;
        std::vector<std::uint64_t> dropped; // a bit per value, each row from a word of its own on
        std::vector<float> x;               // with LayerNorm only, like mean and root
        std::vector<double> mean, root;
    };

    std::size_t words() const { return (C_ + 63) / 64; }
    double n(std::size_t r, std::size_t c) const { return (last_.x[r * C_ + c] - last_.mean[r]) / last_.root[r]; }
    double dy(Tensor3<const float> dout, std::size_t r, std::size_t c) const {
        const double d = dout.data[r * C_ + c];
        if (!last_.training) return d;
        return (last_.dropped[r * words() + c / 64] >> c % 64 & 1) != 0 ? 0 : d / (1 - p_);
    }
    void add(std::size_t token, std::size_t position, std::vector<float>& x) const {
        const float* a = value_.wte.data() + token * C_;
        const float* b = (learned_ ? value_.wpe : value_.pe).data() + position * C_;
        for (std::size_t c = 0; c < C_; ++c) {
            if (scaled_)
                x[c] = static_cast<float>(factor_ * a[c] + b[c]);
            else
                x[c] = a[c] + b[c];
        }
    }
    void normalise(const std::vector<float>& x, double& mean, double& root) const {
        double sum = 0, squares = 0;
        for (const float value : x)
            sum += value;
        mean = sum / static_cast<double>(C_);
        for (const float value : x)
            squares += (value - mean) * (value - mean);
        root = std::sqrt(squares / static_cast<double>(C_) + 1e-5);
    }

    std::size_t V_, P_, C_;
    double p_;
    std::int64_t padding_;
    bool learned_, norm_;
    double factor_;
    bool scaled_;
    std::uint64_t seed_, offset_ = 0;
    bool training_ = true;
    Weights value_, grad_;
    Record last_;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    ConfigField first = ConfigField::none; // from the last rule to the first
    if (config.padding_idx >= static_cast<std::int64_t>(config.vocab_size)) first = ConfigField::padding_idx;
    switch (config.positions) {
    case Positions::learned:
    case Positions::sinusoidal: break;
    default: first = ConfigField::positions;
    }
    if (std::isnan(config.dropout) || config.dropout < 0 || config.dropout > 1) first = ConfigField::dropout;
    if (config.max_positions == 0) first = ConfigField::max_positions;
    if (config.d_model == 0) first = ConfigField::d_model;
    if (config.vocab_size == 0) first = ConfigField::vocab_size;
    return first;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    ParameterCount result;
    std::size_t rows = config.vocab_size;
    if (config.layer_norm) rows += 2;
    if (config.positions == Positions::learned)
        rows += config.max_positions;
    else
        result.buffer_bytes = config.max_positions * config.d_model * 4;
    result.parameters = rows * config.d_model;
    result.parameter_bytes = result.parameters * 4;
    return result;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) == ConfigField::none) return std::make_unique<Threaded>(config, seed);
    return nullptr;
}

} // namespace exercise
