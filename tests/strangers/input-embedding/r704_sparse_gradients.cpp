// right: gradients of the tables are kept sparsely, in a hash map of the rows that any backward has touched; Marsaglia's polar method; a state is loaded into a new map of tensors that replaces the old one
#include "contract.h"

#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <unordered_map>

namespace exercise {
namespace {

struct Table {
    std::size_t rows = 0, cols = 0;
    std::vector<float> numbers;
    const float* row(std::size_t r) const { return numbers.data() + r * cols; }
};
using State = std::map<std::string, Table, std::less<>>;
using RowGradients = std::unordered_map<std::size_t, std::vector<float>>;

constexpr const char* order_of_names[] = {"wte", "wpe", "gain", "bias", "pe"};
bool is_buffer(std::string_view name) { return name == "pe"; }

void fill_normal(std::vector<float>& numbers, double deviation, std::uint64_t stream) {
    std::uint64_t index = 0;
    for (std::size_t i = 0; i < numbers.size();) {
        const double a = 2 * uniform(stream, index) - 1, b = 2 * uniform(stream, index + 1) - 1;
        index += 2;
        const double s = a * a + b * b;
        if (s >= 1 || s == 0) continue;
        const double length = deviation * std::sqrt(-2 * std::log(s) / s);
        numbers[i++] = static_cast<float>(a * length);
        if (i < numbers.size()) numbers[i++] = static_cast<float>(b * length);
    }
}

State initial(const InputEmbeddingConfig& config, std::uint64_t seed) {
    const std::size_t C = config.d_model;
    const auto make_table = [C](std::size_t rows, float value) { return Table{rows, C, std::vector<float>(rows * C, value)}; };
    State state;
    Table& wte = state["wte"] = make_table(config.vocab_size, 0);
    fill_normal(wte.numbers, 0.02, random_bits(seed ^ 0x746F6B656E730000, 11));
    if (config.padding_idx >= 0)
        for (std::size_t c = 0; c < C; ++c)
            wte.numbers[static_cast<std::size_t>(config.padding_idx) * C + c] = 0;
    if (config.positions == Positions::learned) {
        Table& wpe = state["wpe"] = make_table(config.max_positions, 0);
        fill_normal(wpe.numbers, 0.01, random_bits(seed ^ 0x706C616365730000, 12));
    } else {
        Table& pe = state["pe"] = make_table(config.max_positions, 0);
        std::vector<double> period(C);
        for (std::size_t c = 0; c < C; ++c)
            period[c] = std::pow(10000.0, static_cast<double>(c - c % 2) / static_cast<double>(C));
        for (std::size_t i = 0; i < pe.numbers.size(); ++i) {
            const std::size_t p = i / C, c = i % C;
            const double phase = static_cast<double>(p) / period[c];
            pe.numbers[i] = static_cast<float>(c % 2 == 0 ? std::sin(phase) : std::cos(phase));
        }
    }
    if (config.layer_norm) {
        state["gain"] = make_table(1, 1);
        state["bias"] = make_table(1, 0);
    }
    return state;
}

class Sparse final : public InputEmbedding {
  public:
    Sparse(const InputEmbeddingConfig& config, std::uint64_t seed)
        : config_(config), seed_(seed), C_(config.d_model), places_(config.positions == Positions::learned ? "wpe" : "pe"),
          state_(initial(config, seed)) {}

    std::vector<TensorInfo> parameters() const override { return list(false); }
    std::vector<TensorInfo> buffers() const override { return list(true); }
    std::vector<float> state() const override {
        std::vector<float> all;
        for (const char* name : order_of_names)
            if (const auto found = state_.find(name); found != state_.end())
                all.insert(all.end(), found->second.numbers.begin(), found->second.numbers.end());
        return all;
    }
    void set_training(bool training) override { training_ = training; }
    bool training() const override { return training_; }

    Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) override {
        if (const Status refusal = check(ids, start, out); refusal != Status{}) return refusal;
        Past past;
        past.batch = ids.rows;
        past.time = ids.cols;
        past.start = start;
        past.training = training_;
        past.offset = offset_;
        for (std::size_t b = 0; ids.cols > 0 && b < ids.rows; ++b)
            past.ids.insert(past.ids.end(), ids.row(b), ids.row(b) + ids.cols);
        past_.assign(1, std::move(past));
        if (training_) offset_ += std::uint64_t{ids.rows} * ids.cols * C_;

        const Past& call = past_.front();
        const float *gain = one("gain"), *bias = one("bias");
        for (std::size_t r = 0; r < call.ids.size(); ++r) {
            const Row row = compute(call, r);
            for (std::size_t c = 0; c < C_; ++c) {
                const float y = config_.layer_norm ? static_cast<float>(row.n[c] * gain[c] + bias[c]) : row.x[c];
                float& to = out.data[r * C_ + c];
                if (!call.training)
                    to = y;
                else if (keeps(call, r * C_ + c))
                    to = static_cast<float>(static_cast<double>(y) / (1 - static_cast<double>(config_.dropout)));
                else
                    to = 0;
            }
        }
        return Status{};
    }

    Status gradient(std::string_view name, Matrix<float> out) const override {
        const auto found = state_.find(name);
        if (found == state_.end() || is_buffer(name)) return Status{Code::invalid_argument};
        const Table& table = found->second;
        if (out.rows != table.rows || out.cols != table.cols) return Status{Code::shape_mismatch};
        const auto rows = gradients_.find(name);
        for (std::size_t r = 0; r < out.rows; ++r) {
            std::fill_n(out.row(r), out.cols, 0.0F);
            if (rows == gradients_.end()) continue;
            const auto row = rows->second.find(r);
            if (row != rows->second.end()) std::copy(row->second.begin(), row->second.end(), out.row(r));
        }
        return Status{};
    }
    void zero_gradients() override { gradients_.clear(); }

    Status backward(Tensor3<const float> dout) override {
        if (past_.empty()) return Status{Code::invalid_argument};
        const Past& call = past_.front();
        if (dout.batch != call.batch || dout.time != call.time || dout.channels != C_) return Status{Code::shape_mismatch};
        const double factor = config_.scale_by_sqrt_d ? std::sqrt(static_cast<double>(C_)) : 1;
        const float* gain = one("gain");
        std::vector<double> d(C_), term(C_);
        for (std::size_t r = 0; r < call.ids.size(); ++r) {
            for (std::size_t c = 0; c < C_; ++c) {
                d[c] = dout.data[r * C_ + c];
                if (!call.training) continue;
                if (keeps(call, r * C_ + c))
                    d[c] /= 1 - static_cast<double>(config_.dropout);
                else
                    d[c] = 0;
            }
            if (config_.layer_norm) {
                const Row row = compute(call, r);
                add("bias", 0, d);
                for (std::size_t c = 0; c < C_; ++c)
                    term[c] = d[c] * row.n[c];
                add("gain", 0, term);
                double a = 0, b = 0;
                for (std::size_t c = 0; c < C_; ++c) {
                    d[c] *= gain[c];
                    a += d[c];
                    b += d[c] * row.n[c];
                }
                for (std::size_t c = 0; c < C_; ++c)
                    d[c] = (d[c] - (a + b * row.n[c]) / static_cast<double>(C_)) / row.root;
            }
            if (config_.positions == Positions::learned) add("wpe", call.start + r % call.time, d);
            if (config_.padding_idx >= 0 && call.ids[r] == config_.padding_idx) continue;
            for (double& value : d)
                value *= factor;
            add("wte", static_cast<std::size_t>(call.ids[r]), d);
        }
        return Status{};
    }

    Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) override {
        State fresh;
        std::size_t numbers = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            const std::string_view name = entries[i].name;
            const auto own = state_.find(name);
            if (own == state_.end() || fresh.contains(name)) return Status{Code::invalid_argument, i};
            if (own->second.rows != entries[i].rows || own->second.cols != entries[i].cols)
                return Status{Code::shape_mismatch, i};
            fresh[std::string(name)] = Table{entries[i].rows, entries[i].cols, {}};
            numbers += entries[i].rows * entries[i].cols;
        }
        if (fresh.size() < state_.size()) return Status{Code::invalid_argument, entries.size()};
        if (values.size() != numbers) return Status{Code::shape_mismatch, entries.size()};
        std::size_t at = 0;
        for (const TensorInfo& entry : entries) {
            std::vector<float>& to = fresh.find(std::string_view(entry.name))->second.numbers;
            to.resize(entry.rows * entry.cols);
            std::memcpy(to.data(), values.data() + at, to.size() * sizeof(float));
            at += to.size();
        }
        state_ = std::move(fresh);
        past_.clear();
        return Status{};
    }

  private:
    struct Past {
        std::size_t batch = 0, time = 0, start = 0;
        bool training = false;
        std::uint64_t offset = 0;
        std::vector<TokenId> ids;
    };
    struct Row {
        std::vector<float> x;
        std::vector<double> n;
        double root = 1;
    };

    Status check(Ids2D ids, std::size_t start, Tensor3<float> out) const {
        const std::size_t P = config_.max_positions, V = config_.vocab_size;
        if (out.batch != ids.rows || out.time != ids.cols || out.channels != C_) return Status{Code::shape_mismatch};
        const std::size_t room = start < P ? P - start : 0;
        if (start > P || ids.cols > room)
            return Status::position_out_of_range(room, static_cast<std::int64_t>(start + room), P);
        for (std::size_t b = 0; ids.cols > 0 && b < ids.rows; ++b)
            for (std::size_t t = 0; t < ids.cols; ++t)
                if (ids(b, t) < 0 || static_cast<std::size_t>(ids(b, t)) >= V)
                    return Status::id_out_of_range(b * ids.cols + t, ids(b, t), V);
        return Status{};
    }
    std::vector<TensorInfo> list(bool buffers) const {
        std::vector<TensorInfo> infos;
        for (const char* name : order_of_names)
            if (const auto found = state_.find(name); found != state_.end() && is_buffer(name) == buffers)
                infos.emplace_back(name, found->second.rows, found->second.cols);
        return infos;
    }
    const float* one(std::string_view name) const {
        const auto found = state_.find(name);
        return found != state_.end() ? found->second.row(0) : nullptr;
    }
    bool keeps(const Past& call, std::size_t e) const {
        return uniform(seed_, call.offset + e) >= static_cast<double>(config_.dropout);
    }
    Row compute(const Past& call, std::size_t r) const {
        Row row;
        row.x.resize(C_);
        const float* token = state_.find("wte")->second.row(static_cast<std::size_t>(call.ids[r]));
        const float* place = state_.find(places_)->second.row(call.start + r % call.time);
        const double factor = std::sqrt(static_cast<double>(C_));
        for (std::size_t c = 0; c < C_; ++c)
            row.x[c] = config_.scale_by_sqrt_d ? static_cast<float>(factor * token[c] + place[c]) : token[c] + place[c];
        if (!config_.layer_norm) return row;
        double mean = 0, variance = 0;
        for (const float x : row.x)
            mean += x;
        mean /= static_cast<double>(C_);
        for (const float x : row.x)
            variance += (x - mean) * (x - mean);
        row.root = std::sqrt(variance / static_cast<double>(C_) + 1e-5);
        for (const float x : row.x)
            row.n.push_back((x - mean) / row.root);
        return row;
    }
    void add(std::string_view name, std::size_t r, const std::vector<double>& term) {
        std::vector<float>& sum = gradients_[std::string(name)][r];
        sum.resize(C_);
        for (std::size_t c = 0; c < C_; ++c)
            sum[c] = static_cast<float>(sum[c] + term[c]);
    }

    InputEmbeddingConfig config_;
    std::uint64_t seed_;
    std::size_t C_;
    std::string_view places_;
    State state_;
    std::map<std::string, RowGradients, std::less<>> gradients_;
    bool training_ = true;
    std::uint64_t offset_ = 0;
    std::vector<Past> past_; // none or one
};

} // namespace

ConfigField validate(const InputEmbeddingConfig& config) {
    using enum ConfigField;
    return config.vocab_size == 0                                                                       ? vocab_size
           : config.d_model == 0                                                                        ? d_model
           : config.max_positions == 0                                                                  ? max_positions
           : !(config.dropout >= 0 && config.dropout <= 1)                                              ? dropout
           : config.positions != Positions::learned && config.positions != Positions::sinusoidal        ? positions
           : config.padding_idx >= static_cast<std::int64_t>(config.vocab_size) ? padding_idx
                                                                                                        : none;
}

ParameterCount count(const InputEmbeddingConfig& config) {
    ParameterCount sum;
    const auto add = [&](std::size_t rows, bool trained) {
        (trained ? sum.parameters : sum.buffer_bytes) += rows * config.d_model * (trained ? 1 : sizeof(float));
    };
    add(config.vocab_size, true);
    add(config.max_positions, config.positions == Positions::learned);
    add(config.layer_norm ? 2 : 0, true);
    sum.parameter_bytes = sum.parameters * sizeof(float);
    return sum;
}

std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed) {
    if (validate(config) != ConfigField::none) return nullptr;
    return std::make_unique<Sparse>(config, seed);
}

} // namespace exercise
