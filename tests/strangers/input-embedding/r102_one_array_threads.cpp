// right: all parameters and buffers lie in one flat array, forward works with three threads that it joins, normal numbers come in Box-Muller pairs, and backward goes through the rows from the last to the first
#include "contract.h"

#include <array>
#include <cmath>
#include <cstring>
#include <thread>

namespace exercise {
namespace {

using std::size_t;

// Where a tensor lies in the one flat array of all numbers.
struct Place {
    TensorInfo info;
    size_t at = 0;
    bool trained = true;
    size_t size() const { return info.rows * info.cols; }
};

struct Call {
    std::vector<TokenId> ids;
    size_t batch = 0, time = 0, start = 0;
    std::uint64_t offset = 0;
    bool train = false, there = false;
};

class Flat final : public InputEmbedding {
    InputEmbeddingConfig cfg;
    std::uint64_t seed;
    size_t C;
    std::vector<Place> places;
    std::vector<float> numbers, slopes;
    bool train = true;
    std::uint64_t drawn = 0;
    Call call;

    void add(std::string_view name, size_t rows, bool trained = true) {
        places.push_back({TensorInfo(name, rows, C), numbers.size(), trained});
        numbers.resize(numbers.size() + rows * C);
        if (trained) slopes.resize(numbers.size());
    }
    const Place* named(std::string_view name) const {
        for (auto& p : places)
            if (std::string_view(p.info.name) == name) return &p;
        return nullptr;
    }
    static double gauss(std::uint64_t seed, std::uint64_t which, std::uint64_t e) {
        // pairs: even elements take the cosine, odd ones the sine
        const std::uint64_t s = random_bits(random_bits(seed, 17), e / 2);
        const double r = std::sqrt(-2.0 * std::log(uniform(s, 10 * which)));
        const double a = 6.283185307179586 * uniform(s, 10 * which + 1);
        return r * (e % 2 ? std::sin(a) : std::cos(a));
    }
    const float* position_row(size_t p) const { return numbers.data() + places[position_place()].at + p * C; }
    size_t position_place() const { return cfg.positions == Positions::learned ? 1 : places.size() - 1; }

    // x of the n-th position of a call; returns mean and root of variance + eps.
    std::array<double, 2> sum_row(const Call& k, size_t n, double* x) const {
        const float* w = numbers.data() + static_cast<size_t>(k.ids[n]) * C;
        const float* p = position_row(k.start + n % k.time);
        if (cfg.scale_by_sqrt_d) {
            const double f = std::sqrt(static_cast<double>(C));
            for (size_t c = 0; c < C; ++c)
                x[c] = f * w[c] + p[c];
        } else {
            for (size_t c = 0; c < C; ++c)
                x[c] = w[c] + p[c];
        }
        if (!cfg.layer_norm) return {0, 1};
        double mean = 0, var = 0;
        for (size_t c = 0; c < C; ++c)
            mean += x[c];
        mean /= static_cast<double>(C);
        for (size_t c = 0; c < C; ++c)
            var += (x[c] - mean) * (x[c] - mean);
        return {mean, std::sqrt(var / static_cast<double>(C) + 1e-5)};
    }
    bool survives(const Call& k, size_t e) const { return !k.train || uniform(seed, k.offset + e) >= cfg.dropout; }
    double divisor(const Call& k) const { return k.train ? 1.0 - static_cast<double>(cfg.dropout) : 1.0; }

    void rows(const Call& k, size_t from, size_t to, float* out) const {
        std::vector<double> x(C);
        const float* gain = cfg.layer_norm ? numbers.data() + named("gain")->at : nullptr;
        for (size_t n = from; n < to; ++n) {
            const auto [mean, root] = sum_row(k, n, x.data());
            for (size_t c = 0; c < C; ++c) {
                double y = x[c];
                if (gain) y = gain[c] * ((y - mean) / root) + gain[C + c]; // bias follows gain
                out[n * C + c] = survives(k, n * C + c) ? static_cast<float>(y / divisor(k)) : 0.0F;
            }
        }
    }

  public:
    Flat(const InputEmbeddingConfig& config, std::uint64_t s) : cfg(config), seed(s), C(config.d_model) {
        const size_t room = (cfg.vocab_size + cfg.max_positions + 2) * C;
        numbers.reserve(room), slopes.reserve(room);
        add("wte", cfg.vocab_size);
        if (cfg.positions == Positions::learned) add("wpe", cfg.max_positions);
        if (cfg.layer_norm) add("gain", 1), add("bias", 1);
        if (cfg.positions == Positions::sinusoidal) add("pe", cfg.max_positions, false);
        for (const Place& p : places) {
            float* v = numbers.data() + p.at;
            const std::string_view name = p.info.name;
            if (name == "wte" || name == "wpe") {
                const bool token = name == "wte";
                for (size_t e = 0; e < p.size(); ++e)
                    v[e] = static_cast<float>((token ? 0.02 : 0.01) * gauss(seed, token ? 0 : 1, e));
            }
            if (name == "gain") std::fill_n(v, C, 1.0F);
            if (name == "pe")
                for (size_t c = 0; c < C; ++c) {
                    const double slow = std::pow(1e4, static_cast<double>(c - c % 2) / static_cast<double>(C));
                    for (size_t r = 0; r < cfg.max_positions; ++r) {
                        const double angle = static_cast<double>(r) / slow;
                        v[r * C + c] = static_cast<float>(c % 2 ? std::cos(angle) : std::sin(angle));
                    }
                }
        }
        if (cfg.padding_idx >= 0)
            std::memset(numbers.data() + static_cast<size_t>(cfg.padding_idx) * C, 0, C * sizeof(float));
    }

    std::vector<TensorInfo> parameters() const override {
        std::vector<TensorInfo> r;
        for (auto& p : places)
            if (p.trained) r.push_back(p.info);
        return r;
    }
    std::vector<TensorInfo> buffers() const override {
        std::vector<TensorInfo> r;
        for (auto& p : places)
            if (!p.trained) r.push_back(p.info);
        return r;
    }
    std::vector<float> state() const override { return numbers; }
    void set_training(bool on) override { train = on; }
    bool training() const override { return train; }

    Status forward(Ids2D ids, size_t start, Tensor3<float> out) override {
        if (out.batch != ids.rows || out.time != ids.cols || out.channels != C) return {Code::shape_mismatch};
        const size_t P = cfg.max_positions;
        if (start > P) return Status::position_out_of_range(0, static_cast<std::int64_t>(start), P);
        if (ids.cols > P - start) return Status::position_out_of_range(P - start, static_cast<std::int64_t>(P), P);
        Call next;
        next.batch = ids.rows, next.time = ids.cols, next.start = start;
        next.train = train, next.offset = drawn, next.there = true;
        const size_t R = ids.rows * ids.cols;
        next.ids.resize(R);
        for (size_t n = 0; n < R; ++n) {
            const TokenId id = ids(n / ids.cols, n % ids.cols);
            if (id < 0 || static_cast<size_t>(id) >= cfg.vocab_size)
                return Status::id_out_of_range(n, id, cfg.vocab_size);
            next.ids[n] = id;
        }
        call = std::move(next);
        std::vector<std::thread> helpers;
        for (size_t i = 1; i < 3; ++i)
            helpers.emplace_back([&, i] { rows(call, R * i / 3, R * (i + 1) / 3, out.data); });
        rows(call, 0, R / 3, out.data);
        for (auto& h : helpers)
            h.join();
        if (train) drawn += R * C;
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        const Place* p = named(name);
        if (!p || !p->trained) return {Code::invalid_argument};
        if (out.rows != p->info.rows || out.cols != C) return {Code::shape_mismatch};
        for (size_t r = 0; r < out.rows; ++r)
            std::memcpy(out.row(r), slopes.data() + p->at + r * C, C * sizeof(float));
        return {};
    }
    void zero_gradients() override { slopes.assign(slopes.size(), 0.0F); }

    Status backward(Tensor3<const float> dout) override {
        if (!call.there) return {Code::invalid_argument};
        if (dout.batch != call.batch || dout.time != call.time || dout.channels != C) return {Code::shape_mismatch};
        std::vector<double> x(C), d(C);
        for (size_t n = call.ids.size(); n-- > 0;) {
            for (size_t c = 0; c < C; ++c)
                d[c] = survives(call, n * C + c) ? dout.data[n * C + c] / divisor(call) : 0.0;
            if (cfg.layer_norm) {
                const size_t g = named("gain")->at;
                const auto [mean, root] = sum_row(call, n, x.data());
                double first = 0, second = 0;
                for (size_t c = 0; c < C; ++c) {
                    x[c] = (x[c] - mean) / root;
                    slopes[g + c] += static_cast<float>(d[c] * x[c]);
                    slopes[g + C + c] += static_cast<float>(d[c]);
                    d[c] *= numbers[g + c];
                    first += d[c], second += d[c] * x[c];
                }
                first /= static_cast<double>(C), second /= static_cast<double>(C);
                for (size_t c = 0; c < C; ++c)
                    d[c] = (d[c] - first - x[c] * second) / root;
            }
            if (cfg.positions == Positions::learned) {
                float* to = slopes.data() + places[1].at + (call.start + n % call.time) * C;
                for (size_t c = 0; c < C; ++c)
                    to[c] += static_cast<float>(d[c]);
            }
            if (call.ids[n] != cfg.padding_idx) {
                const double f = cfg.scale_by_sqrt_d ? std::sqrt(static_cast<double>(C)) : 1.0;
                float* to = slopes.data() + static_cast<size_t>(call.ids[n]) * C;
                for (size_t c = 0; c < C; ++c)
                    to[c] += static_cast<float>(f * d[c]);
            }
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::vector<size_t> which;
        size_t expected = 0;
        for (size_t i = 0; i < entries.size(); ++i) {
            size_t j = 0;
            while (j < places.size() && !std::equal(places[j].info.name, places[j].info.name + 16, entries[i].name))
                ++j;
            if (j == places.size() || std::find(which.begin(), which.end(), j) != which.end())
                return {Code::invalid_argument, i};
            if (!(places[j].info == entries[i])) return {Code::shape_mismatch, i};
            which.push_back(j);
            expected += places[j].size();
        }
        if (which.size() != places.size()) return {Code::invalid_argument, entries.size()};
        if (values.size() != expected) return {Code::shape_mismatch, entries.size()};
        size_t from = 0;
        for (size_t j : which) {
            std::copy_n(values.data() + from, places[j].size(), numbers.data() + places[j].at);
            from += places[j].size();
        }
        call.there = false;
        return {};
    }
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    using enum ConfigField;
    if (!config.vocab_size) return vocab_size;
    if (!config.d_model) return d_model;
    if (!config.max_positions) return max_positions;
    if (!(0 <= config.dropout && config.dropout <= 1)) return dropout;
    const auto kind = static_cast<std::int32_t>(config.positions);
    if (kind < 0 || kind > 1) return positions;
    if (config.padding_idx > 0 && static_cast<size_t>(config.padding_idx) >= config.vocab_size) return padding_idx;
    return none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    const size_t p = config.max_positions * config.d_model;
    const bool learned = config.positions == Positions::learned;
    const size_t n =
        config.vocab_size * config.d_model + (learned ? p : 0) + (config.layer_norm ? 2 * config.d_model : 0);
    return {n, 4 * n, learned ? 0 : 4 * p};
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    return validate(config) == ConfigField::none ? std::make_unique<Flat>(config, seed) : nullptr;
}

} // namespace exercise
