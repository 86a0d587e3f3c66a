#pragma once

#include "common/ids.h"
#include "common/matrix.h"
#include "common/not_implemented.h"
#include "common/random.h"
#include "common/rules.h"
#include "common/status.h"
#include "common/tensor.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

// V: vocabulary size, P: positions, C: channels, B: batch, T: time (tokens of a sequence)

namespace contract {

enum class Positions : std::int32_t { learned, sinusoidal };

/// The choices for a module; the defaults are GPT-2 small. The caller promises sizes below 2^31.
struct InputEmbeddingConfig {
    std::size_t vocab_size = 50'257;          ///< V > 0
    std::size_t d_model = 768;                ///< C > 0
    std::size_t max_positions = 1'024;        ///< P > 0
    float dropout = 0.1F;                     ///< probability of dropping a value, in [0, 1]
    Positions positions = Positions::learned; ///< one of the two
    bool scale_by_sqrt_d = false;             ///< multiply the token part by sqrt(C)
    bool layer_norm = false;                  ///< LayerNorm between sum and dropout
    std::int64_t padding_idx = -1;            ///< a token < V whose row is not trained; negative: none
};

/// A field of the configuration.
enum class ConfigField : std::int32_t {
    none,
    vocab_size,
    d_model,
    max_positions,
    dropout,
    positions,
    padding_idx,
};

/// Name and shape of one tensor of a module. One with a single axis counts as one row.
struct TensorInfo {
    char name[16] = {}; ///< ends with a zero and is filled up with zeros, given or returned
    std::size_t rows = 0;
    std::size_t cols = 0;

    TensorInfo() = default;
    /// text: at most 15 characters count.
    TensorInfo(std::string_view text, std::size_t row_count, std::size_t col_count)
        : rows(row_count), cols(col_count) {
        std::copy_n(text.data(), std::min(text.size(), sizeof name - 1), name);
    }
    bool operator==(const TensorInfo&) const = default;
};

/// The cost of a configuration, with 4 bytes a number.
struct ParameterCount {
    std::size_t parameters = 0;      ///< numbers that are trained, those of row padding_idx among them
    std::size_t parameter_bytes = 0; ///< what they take
    std::size_t buffer_bytes = 0;    ///< what is saved with them but not trained

    bool operator==(const ParameterCount&) const = default;
};

/// The input layer of a language model. It owns, in this order:
///
///     parameters    wte   (V, C)   token table
///     (trained)     wpe   (P, C)   position table, if positions are learned
///                   gain  (1, C)   of LayerNorm, if there is one
///                   bias  (1, C)   of LayerNorm, if there is one
///     buffers       pe    (P, C)   sinusoidal table, if positions are sinusoidal
///
/// Parameters have gradients of their shape; buffers are saved but not trained. The module computes
///
///     x[b, t] = factor * wte[ids[b, t]] + position[start + t]
///     y       = gain * (x - mean) / sqrt(variance + 1e-5) + bias   if layer_norm, row by row; else y = x
///     out     = dropout(y)                                         in training; else out = y
///
/// with factor sqrt(C) if scale_by_sqrt_d, else 1, position the rows of wpe or pe, and the variance divided
/// by C. Without factor, x is one float addition, bit for bit.
///
/// Dropout works as in the problem dropout. In training, element e = (b * T + t) * C + c becomes
///
///     y / (1 - dropout)    if uniform(seed, offset + e) >= dropout
///     0                    else, whatever y is
///
/// with the seed given to `make`. offset begins at 0; each successful forward call in training adds B * T *
/// C, modulo 2^64.
///
/// Example, with C = 2, learned positions and dropout 0:
///
///     wte row 3: 1 2    wpe row 0: 10 20    forward({3}, 0, out): out becomes 11 22
///
/// The methods are in the order in which they are tested: no test of one needs a later one.
class InputEmbedding {
  public:
    virtual ~InputEmbedding() = default;

    virtual std::vector<TensorInfo> parameters() const = 0; ///< in the order above
    virtual std::vector<TensorInfo> buffers() const = 0;

    /// All numbers of parameters and then buffers, each tensor row by row.
    virtual std::vector<float> state() const = 0;

    /// A new module is in training.
    virtual void set_training(bool training) = 0;
    virtual bool training() const = 0;

    /// ids (B, T) -> out (B, T, C). It copies the ids that backward needs.
    /// Refusals, in this order; a refused call changes nothing:
    ///
    ///     1. Status{Code::shape_mismatch}                      out is not (ids.rows, ids.cols, C)
    ///     2. Status::position_out_of_range(p - start, p, P)    start + T > P, unwrapped; p = max(start, P)
    ///     3. Status::id_out_of_range(b * T + t, id, V)         the first id outside [0, V), row by row
    virtual Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) = 0;

    /// Copies the gradient of a parameter. Refusals, in this order, writing nothing:
    ///
    ///     1. Status{Code::invalid_argument}    no parameter of that name (buffers have no gradient)
    ///     2. Status{Code::shape_mismatch}      another shape
    virtual Status gradient(std::string_view name, Matrix<float> out) const = 0;
    virtual void zero_gradients() = 0;

    /// Adds to the gradient of every parameter, given `dout`, the gradient with respect to the output of the
    /// last successful forward call: with that call's ids, positions, mask and mode. Row padding_idx of wte
    /// gets nothing, and dropped values pass nothing, not even infinity. Several backward calls may follow
    /// one forward call. Refusals, in this order, changing nothing:
    ///
    ///     1. Status{Code::invalid_argument}    no forward call yet, or none since the state was loaded
    ///     2. Status{Code::shape_mismatch}      dout has another shape than that call's output
    virtual Status backward(Tensor3<const float> dout) = 0;

    /// Takes over a state, bit for bit. `entries` names each parameter and buffer once, in any order, with
    /// its shape; `values` has their numbers in the order of the entries. Gradients, mode and offset stay.
    /// Refusals, in this order, changing nothing:
    ///
    ///     1. Status{Code::invalid_argument, i}                 first bad entry: name unknown or repeated
    ///        Status{Code::shape_mismatch, i}                   or, known and new, of another shape
    ///     2. Status{Code::invalid_argument, entries.size()}    a tensor is missing
    ///     3. Status{Code::shape_mismatch, entries.size()}      more or fewer values than the shapes need
    virtual Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) = 0;
};

} // namespace contract

namespace exercise {
using namespace contract;

/// The first field, in the order of the struct, whose value is not allowed, or ConfigField::none.
ConfigField validate(const InputEmbeddingConfig& config);

/// Counts without making anything, also sizes that are too large to be made. The configuration is valid.
ParameterCount count(const InputEmbeddingConfig& config);

/// A module, or a null pointer if the configuration is not valid. A new one has
///
///     wte     independent values of N(0, 0.02^2); row padding_idx zero
///     wpe     independent values of N(0, 0.01^2)
///     gain 1, bias 0, all gradients 0
///     pe      the table of sinusoidal-positions with base 10,000, within 1e-6
///
/// You choose how to draw. Equal configurations and seeds give equal bits. No draw is used twice: not in the
/// same table, not in the other, not for another seed. Modules share nothing.
std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed);

// Error bounds. Sums over C may be made in float, in any order, but the variance not as a difference of two
// large numbers. For a row, with
//
//     X = the largest |factor * token| + |position|               D = sqrt(variance + 1e-5)
//     r = 1 + sqrt(C)    N = 2 r (C + 8) u max(1, X / D)          R = B * T, of all backward calls so far
//     k = 1 / (1 - dropout) in training, 1 in evaluation
//     q = the largest k |gain dout|, with gain 1 if the layer has none
//
// a value of out may be off by
//
//     without LayerNorm    12 k u X                               the factor k alone: 4 u of the value
//     with LayerNorm       k (|gain| N + 8 u (|y| + |bias|))
//
// and a gradient by the sum, over the rows of all calls, of
//
//     wte, wpe, without LayerNorm    (R + 16) u q                         wte: times factor
//     wte, wpe, with LayerNorm       4 s N + (R + 8) u s, s = r q / D     wte: times factor
//     gain                           k |dout| (N + (R + 8) r u)
//     bias                           k |dout| (R + 8) u

// The methods as functions, for the judge. They are written already.
[[gnu::used]] inline void set_training(InputEmbedding& module, bool training) {
    module.set_training(training);
}
[[gnu::used]] inline bool training(const InputEmbedding& module) {
    return module.training();
}
[[gnu::used]] inline Status forward(InputEmbedding& module, Ids2D ids, std::size_t start,
                                    Tensor3<float> out) {
    return module.forward(ids, start, out);
}
[[gnu::used]] inline Status backward(InputEmbedding& module, Tensor3<const float> dout) {
    return module.backward(dout);
}
[[gnu::used]] inline std::vector<TensorInfo> parameters(const InputEmbedding& module) {
    return module.parameters();
}
[[gnu::used]] inline std::vector<TensorInfo> buffers(const InputEmbedding& module) {
    return module.buffers();
}
[[gnu::used]] inline Status gradient(const InputEmbedding& module, std::string_view name, Matrix<float> out) {
    return module.gradient(name, out);
}
[[gnu::used]] inline void zero_gradients(InputEmbedding& module) {
    module.zero_gradients();
}
[[gnu::used]] inline std::vector<float> state(const InputEmbedding& module) {
    return module.state();
}
[[gnu::used]] inline Status load_state(InputEmbedding& module, std::span<const TensorInfo> entries,
                                       std::span<const float> values) {
    return module.load_state(entries, values);
}

} // namespace exercise

// What the judge calls.
#define EXERCISE_INTERFACE(CALL)                                                                             \
    CALL(validate)                                                                                           \
    CALL(count)                                                                                              \
    CALL(make)                                                                                               \
    CALL(set_training)                                                                                       \
    CALL(training)                                                                                           \
    CALL(forward)                                                                                            \
    CALL(backward)                                                                                           \
    CALL(parameters)                                                                                         \
    CALL(buffers)                                                                                            \
    CALL(gradient)                                                                                           \
    CALL(zero_gradients)                                                                                     \
    CALL(state)                                                                                              \
    CALL(load_state)

// Rules of all problems: common/rules.h. Fine print: docs/fine-print.md.
