// right: rows are functions of (seed, row), drawn when first needed and kept in a map; gradients are sparse maps of rows; only state() and gradient() ever see whole tables. A loaded state replaces the function
#include "contract.h"

#include <cmath>
#include <functional>
#include <map>
#include <unordered_map>

namespace exercise {
namespace {

std::uint64_t mix(std::uint64_t a, std::uint64_t b) {
    a ^= b * 0xD6E8FEB86659FD93u;
    a = (a ^ (a >> 32)) * 0xD6E8FEB86659FD93u;
    a = (a ^ (a >> 29)) * 0xA0761D6478BD642Fu;
    return a ^ (a >> 32);
}

using Row = std::vector<float>;

/// A tensor of which every row can be computed on its own.
struct Lazy {
    TensorInfo info;
    bool trained = true;
    std::function<void(std::size_t, float*)> rule; ///< the row at the start
    std::vector<float> loaded;                     ///< all values, once a state was loaded
    std::unordered_map<std::size_t, Row> seen;
    std::map<std::size_t, Row> gradients; ///< a row that is missing is zero

    const float* row(std::size_t r) {
        if (!loaded.empty()) return loaded.data() + r * info.cols;
        const auto [place, fresh] = seen.try_emplace(r);
        if (fresh) {
            place->second.resize(info.cols);
            rule(r, place->second.data());
        }
        return place->second.data();
    }
    void write(float* to) const {
        if (!loaded.empty()) {
            std::copy(loaded.begin(), loaded.end(), to);
            return;
        }
        for (std::size_t r = 0; r < info.rows; ++r)
            rule(r, to + r * info.cols);
    }
    Row& gradient(std::size_t r) {
        Row& row = gradients[r];
        row.resize(info.cols);
        return row;
    }
};

/// A row of normal numbers by Marsaglia's polar method, from a stream of its own.
void normal_row(std::uint64_t key, double deviation, std::size_t width, float* to) {
    std::uint64_t index = 0;
    for (std::size_t c = 0; c < width; c += 2) {
        double a = 0;
        double b = 0;
        double s = 0;
        do {
            a = 2 * uniform(key, index) - 1;
            b = 2 * uniform(key, index + 1) - 1;
            s = a * a + b * b;
            index += 2;
        } while (s >= 1 || s == 0);
        const double scale = deviation * std::sqrt(-2 * std::log(s) / s);
        to[c] = static_cast<float>(scale * a);
        if (c + 1 < width) to[c + 1] = static_cast<float>(scale * b);
    }
}

class Module final : public InputEmbedding {
  public:
    Module(const InputEmbeddingConfig& config, std::uint64_t seed)
        : width_(config.d_model), vocabulary_(config.vocab_size), places_(config.max_positions),
          p_(config.dropout), padding_(config.padding_idx), seed_(seed) {
        if (config.scale_by_sqrt_d) factor_ = std::sqrt(static_cast<double>(width_));
        scaled_ = config.scale_by_sqrt_d;
        const std::size_t width = width_;
        const auto padding = padding_;
        const std::uint64_t token_key = mix(mix(seed, 11), 1);
        add(wte_, {"wte", vocabulary_, width}, [=](std::size_t r, float* to) {
            if (padding >= 0 && r == static_cast<std::size_t>(padding))
                std::fill_n(to, width, 0.0F);
            else
                normal_row(mix(token_key, r), 0.02, width, to);
        });
        const bool learned = config.positions == Positions::learned;
        const std::uint64_t place_key = mix(mix(seed, 12), 2);
        if (learned)
            add(position_, {"wpe", places_, width}, [=](std::size_t r, float* to) {
                normal_row(mix(place_key, r), 0.01, width, to);
            });
        if (config.layer_norm) {
            add(gain_, {"gain", 1, width}, [=](std::size_t, float* to) { std::fill_n(to, width, 1.0F); });
            add(bias_, {"bias", 1, width}, [=](std::size_t, float* to) { std::fill_n(to, width, 0.0F); });
        }
        norm_ = config.layer_norm;
        if (!learned) {
            add(position_, {"pe", places_, width}, [=](std::size_t r, float* to) {
                for (std::size_t c = 0; c < width; ++c) {
                    const double pair = static_cast<double>(c / 2);
                    const double phase =
                        static_cast<double>(r) / std::pow(1e4, 2 * pair / static_cast<double>(width));
                    to[c] = static_cast<float>((c & 1) == 0 ? std::sin(phase) : std::cos(phase));
                }
            });
            position_.trained = false;
        }
    }

    std::vector<TensorInfo> parameters() const override {
        std::vector<TensorInfo> infos;
        for (const Lazy* lazy : all_)
            if (lazy->trained) infos.push_back(lazy->info);
        return infos;
    }
    std::vector<TensorInfo> buffers() const override {
        if (position_.trained) return {};
        return {position_.info};
    }
    std::vector<float> state() const override {
        std::size_t total = 0;
        for (const Lazy* lazy : all_)
            total += lazy->info.rows * lazy->info.cols;
        std::vector<float> numbers(total);
        float* to = numbers.data();
        for (const Lazy* lazy : all_) {
            lazy->write(to);
            to += lazy->info.rows * lazy->info.cols;
        }
        return numbers;
    }

    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        if (out.batch != ids.rows || out.time != ids.cols || out.channels != width_)
            return Status{Code::shape_mismatch};
        if (start > places_)
            return Status::position_out_of_range(0, static_cast<std::int64_t>(start), places_);
        if (places_ - start < ids.cols)
            return Status::position_out_of_range(places_ - start, static_cast<std::int64_t>(places_), places_);
        const std::size_t rows = ids.rows * ids.cols;
        std::vector<TokenId> copy(rows);
        for (std::size_t k = 0; k < rows; ++k) {
            copy[k] = ids(k / ids.cols, k % ids.cols);
            if (copy[k] < 0 || static_cast<std::size_t>(copy[k]) >= vocabulary_)
                return Status::id_out_of_range(k, copy[k], vocabulary_);
        }
        known_ = true;
        batch_ = ids.rows;
        time_ = ids.cols;
        start_ = start;
        ids_.swap(copy);
        replay_training_ = training_;
        replay_offset_ = offset_;
        if (training_) offset_ += rows * width_;

        Row x(width_);
        for (std::size_t k = 0; k < rows; ++k) {
            sum(k, x);
            if (norm_) {
                const auto [mean, inverse] = statistics(x);
                const float* gain = gain_.row(0);
                const float* bias = bias_.row(0);
                for (std::size_t c = 0; c < width_; ++c)
                    x[c] = static_cast<float>((x[c] - mean) * inverse * gain[c] + bias[c]);
            }
            for (std::size_t c = 0; c < width_; ++c) {
                float& to = out.data[k * width_ + c];
                if (dropped(k * width_ + c))
                    to = 0;
                else
                    to = replay_training_ ? static_cast<float>(x[c] / (1 - p_)) : x[c];
            }
        }
        return {};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        for (const Lazy* lazy : all_) {
            if (!lazy->trained || name != lazy->info.name) continue;
            if (out.rows != lazy->info.rows || out.cols != lazy->info.cols)
                return Status{Code::shape_mismatch};
            auto next = lazy->gradients.begin();
            for (std::size_t r = 0; r < out.rows; ++r) {
                if (next != lazy->gradients.end() && next->first == r) {
                    std::copy(next->second.begin(), next->second.end(), out.row(r));
                    ++next;
                } else {
                    std::fill_n(out.row(r), out.cols, 0.0F);
                }
            }
            return {};
        }
        return Status{Code::invalid_argument};
    }
    void zero_gradients() override {
        for (Lazy* lazy : all_)
            lazy->gradients.clear();
    }

    Status backward(Tensor3<const float> dout) override {
        if (!known_) return Status{Code::invalid_argument};
        if (dout.batch != batch_ || dout.time != time_ || dout.channels != width_)
            return Status{Code::shape_mismatch};
        Row x(width_);
        std::vector<double> n(width_);
        std::vector<double> d(width_);
        for (std::size_t k = 0; k < ids_.size(); ++k) {
            bool all_dropped = true;
            for (std::size_t c = 0; c < width_; ++c) {
                const std::size_t e = k * width_ + c;
                d[c] = 0;
                if (dropped(e)) continue;
                all_dropped = false;
                d[c] = replay_training_ ? dout.data[e] / (1 - p_) : dout.data[e];
            }
            if (all_dropped) continue;
            if (norm_) {
                sum(k, x);
                const auto [mean, inverse] = statistics(x);
                const float* gain = gain_.row(0);
                Row& dgain = gain_.gradient(0);
                Row& dbias = bias_.gradient(0);
                double first = 0;
                double second = 0;
                for (std::size_t c = 0; c < width_; ++c) {
                    n[c] = (x[c] - mean) * inverse;
                    if (dropped(k * width_ + c)) continue;
                    dgain[c] = static_cast<float>(dgain[c] + d[c] * n[c]);
                    dbias[c] = static_cast<float>(dbias[c] + d[c]);
                    d[c] *= gain[c];
                    first += d[c];
                    second += d[c] * n[c];
                }
                const auto count = static_cast<double>(width_);
                for (std::size_t c = 0; c < width_; ++c)
                    d[c] = (d[c] - first / count - n[c] * (second / count)) * inverse;
            }
            if (ids_[k] != padding_) add_to(wte_.gradient(static_cast<std::size_t>(ids_[k])), factor_, d);
            if (position_.trained) add_to(position_.gradient(start_ + k % time_), 1, d);
        }
        return {};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        std::map<Lazy*, std::size_t> begins;
        std::size_t total = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const auto fits = [&](const Lazy* lazy) {
                return std::equal(entries[i].name, entries[i].name + sizeof entries[i].name, lazy->info.name);
            };
            const auto found = std::find_if(all_.begin(), all_.end(), fits);
            if (found == all_.end() || begins.contains(*found)) return Status{Code::invalid_argument, i};
            if ((*found)->info != entries[i]) return Status{Code::shape_mismatch, i};
            begins[*found] = total;
            total += entries[i].rows * entries[i].cols;
        }
        if (begins.size() != all_.size()) return Status{Code::invalid_argument, entries.size()};
        if (total != values.size()) return Status{Code::shape_mismatch, entries.size()};
        for (const auto& [lazy, begin] : begins) {
            const auto part = values.subspan(begin, lazy->info.rows * lazy->info.cols);
            lazy->loaded.assign(part.begin(), part.end());
            lazy->seen.clear();
        }
        known_ = false;
        return {};
    }

  private:
    void add(Lazy& lazy, TensorInfo info, std::function<void(std::size_t, float*)> rule) {
        lazy.info = info;
        lazy.rule = std::move(rule);
        all_.push_back(&lazy);
    }
    static void add_to(Row& row, double factor, const std::vector<double>& d) {
        for (std::size_t c = 0; c < row.size(); ++c)
            row[c] = static_cast<float>(row[c] + factor * d[c]);
    }
    bool dropped(std::size_t e) const { return replay_training_ && !(uniform(seed_, replay_offset_ + e) >= p_); }

    void sum(std::size_t k, Row& x) {
        const float* token = wte_.row(static_cast<std::size_t>(ids_[k]));
        const float* place = position_.row(start_ + k % time_);
        for (std::size_t c = 0; c < width_; ++c)
            x[c] = scaled_ ? static_cast<float>(token[c] * factor_ + place[c]) : token[c] + place[c];
    }
    std::pair<double, double> statistics(const Row& x) const {
        double mean = 0;
        for (const float value : x)
            mean += value;
        mean /= static_cast<double>(width_);
        double variance = 0;
        for (const float value : x)
            variance += (value - mean) * (value - mean);
        return {mean, 1 / std::sqrt(variance / static_cast<double>(width_) + 1e-5)};
    }

    std::size_t width_;
    std::size_t vocabulary_;
    std::size_t places_;
    double p_;
    std::int64_t padding_;
    std::uint64_t seed_;
    double factor_ = 1;
    bool scaled_ = false;
    bool norm_ = false;
    Lazy wte_, position_, gain_, bias_;
    std::vector<Lazy*> all_; ///< parameters, then the buffer
    bool training_ = true;
    std::uint64_t offset_ = 0;
    // The last successful forward call.
    bool known_ = false;
    std::size_t batch_ = 0;
    std::size_t time_ = 0;
    std::size_t start_ = 0;
    std::vector<TokenId> ids_;
    bool replay_training_ = false;
    std::uint64_t replay_offset_ = 0;
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    if (config.vocab_size < 1) return ConfigField::vocab_size;
    if (config.d_model < 1) return ConfigField::d_model;
    if (config.max_positions < 1) return ConfigField::max_positions;
    if (std::isnan(config.dropout) || config.dropout < 0 || config.dropout > 1) return ConfigField::dropout;
    switch (config.positions) {
    case Positions::learned:
    case Positions::sinusoidal: break;
    default: return ConfigField::positions;
    }
    if (config.padding_idx >= static_cast<std::int64_t>(config.vocab_size)) return ConfigField::padding_idx;
    return ConfigField::none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    ParameterCount cost;
    cost.parameters = config.vocab_size * config.d_model;
    const std::size_t positions = config.max_positions * config.d_model;
    if (config.positions == Positions::learned)
        cost.parameters += positions;
    else
        cost.buffer_bytes = positions * 4;
    if (config.layer_norm) cost.parameters += config.d_model + config.d_model;
    cost.parameter_bytes = cost.parameters * 4;
    return cost;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return {};
    return std::make_unique<Module>(config, seed);
}

} // namespace exercise
