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

/// What a module is made from. As it stands it is GPT-2 small. Sizes are below 2^31, and the counts that
/// follow from them fit into 64 bits (the caller's promise).
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

/// What a configuration costs, with 4 bytes a number.
struct ParameterCount {
    std::size_t parameters = 0;      ///< numbers that are trained, those of row padding_idx among them
    std::size_t parameter_bytes = 0; ///< what they take
    std::size_t buffer_bytes = 0;    ///< what is saved with them but not trained

    bool operator==(const ParameterCount&) const = default;
};

/// The input layer of a language model. It owns
///
///     parameters, trained, each with a gradient of its shape, in this order:
///         wte   (V, C)   token table
///         wpe   (P, C)   position table, if positions are learned
///         gain  (1, C)   of LayerNorm, if there is one
///         bias  (1, C)   of LayerNorm, if there is one
///     buffers, saved but not trained:
///         pe    (P, C)   sinusoidal table, if positions are sinusoidal
///
/// and computes, in this order:
///
///     x[b, t] = factor * wte[ids[b, t]] + position[start + t]
///     y       = gain * (x - mean) / sqrt(variance + 1e-5) + bias   if layer_norm, row by row; else y = x
///     out     = dropout(y)                                         in training; else out = y
///
/// with factor sqrt(C) if scale_by_sqrt_d, else 1, and position the rows of wpe or pe.
/// The variance of a row is divided by C. Dropout is that of the problem dropout, with the module's own seed:
/// in training, element e = (b * T + t) * C + c is kept if
///
///     uniform(seed, offset + e) >= dropout
///
/// and then divided by 1 - dropout, correct to 4 u of its value, u = 2^-24; otherwise it is 0, whatever y is.
/// offset counts the elements of all earlier training calls of this module: it begins at 0, and each moves it
/// on by B * T * C, modulo 2^64. Refused calls and calls in evaluation do not move it.
///
/// The rules of common/rules.h hold: among others, the ids that backward needs are copied in forward, padding
/// is never written, and what needs no rounding is exact. Without factor, x is one float addition, of the
/// token's and the position's number, bit for bit. For the rest, let
///
///     X = the largest |factor * token| + |position| of the row    D = sqrt(variance + 1e-5)
///     r = 1 + sqrt(C)    N = 2 r (C + 8) u max(1, X / D)          R = B * T
///     k = 1 / (1 - dropout) in training, 1 in evaluation
///
/// A value of out may be off by what follows. That is enough for sums over C elements in float, but not for a
/// variance as the difference of two large numbers.
///
///     without LayerNorm    12 k u X
///     with LayerNorm       k (|gain| N + 8 u (|y| + |bias|))
///
/// A gradient is a sum over the rows of a call, and each row adds to what it may be off by, with q the
/// largest k |gain dout| of the row, and 1 for gain without LayerNorm. After several backward calls, R is the
/// number of all their rows:
///
///     wte, wpe, without LayerNorm    (R + 16) u q                         wte: times factor
///     wte, wpe, with LayerNorm       4 s N + (R + 8) u s, s = r q / D     wte: times factor
///     gain                           k |dout| (N + (R + 8) r u)
///     bias                           k |dout| (R + 8) u
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

    /// ids (B, T) with a stride -> out (B, T, C). B = 0 and T = 0 are fine.
    /// Refusals as in learned-positions, in that order; a refused call changes nothing:
    /// 1. `out` is not of shape (ids.rows, ids.cols, C): Code::shape_mismatch.
    /// 2. start + T > P, never wrapping around: position_out_of_range(p - start, p, P), p = max(start, P).
    /// 3. Some id outside [0, V): id_out_of_range(b * T + t, ids[b, t], V) for the first in reading order.
    virtual Status forward(Ids2D ids, std::size_t start, Tensor3<float> out) = 0;

    /// Copies the gradient of a parameter. Refusals in this order, writing nothing: no parameter of that
    /// name, buffers included, Code::invalid_argument; another shape, Code::shape_mismatch.
    virtual Status gradient(std::string_view name, Matrix<float> out) const = 0;
    virtual void zero_gradients() = 0;

    /// Adds to the gradient of every parameter, given `dout`, the gradient of a loss with respect to what the
    /// last successful forward call wrote: with that call's ids, positions and mask, whatever the mode is
    /// now. Row padding_idx of wte gets none, and where a value was dropped nothing passes, not even
    /// infinity. Any number of backward calls may follow one forward call; none of them changes a parameter.
    /// Refusals, in this order, changing nothing: there was no forward call, or the state was loaded since,
    /// Code::invalid_argument; `dout` has not the shape of that call's output, Code::shape_mismatch.
    virtual Status backward(Tensor3<const float> dout) = 0;

    /// Takes over a state, bit for bit. `entries` names each parameter and buffer once, in any order, with
    /// its shape; `values` has their numbers, in the order of the entries. Gradients, mode and dropout's
    /// offset stay. Refusals, changing nothing, in this order:
    /// 1. For the first entry i that does not fit: Status{invalid_argument, i} if the module has no such name
    ///    or it came before, whatever its shape, else Status{shape_mismatch, i} if the module's tensor has
    ///    another shape.
    /// 2. A tensor is missing: Status{invalid_argument, entries.size()}.
    /// 3. More or fewer values than the shapes say: Status{shape_mismatch, entries.size()}.
    virtual Status load_state(std::span<const TensorInfo> entries, std::span<const float> values) = 0;
};

} // namespace contract

namespace exercise {
using namespace contract;

/// The first field, in the order of the struct, whose value is not allowed, or ConfigField::none.
ConfigField validate(const InputEmbeddingConfig& config);

/// Counts without making anything. The configuration is valid, but perhaps too large to be made (the caller's
/// promise).
ParameterCount count(const InputEmbeddingConfig& config);

/// A module, or a null pointer if the configuration is not valid.
///
/// In the beginning wte holds independent values of N(0, 0.02^2) and wpe of N(0, 0.01^2), as in OpenAI's
/// GPT-2, and row padding_idx of wte zeros; gain is 1, bias 0, gradients are 0; pe is the table of
/// sinusoidal-positions with base 10,000, within 1e-6. Equal configurations and seeds give equal bits; other
/// seeds give other numbers, independent of these in every element, the first included, and of those that
/// are elsewhere. wte and wpe are independent of each other, even where they belong to modules of different
/// seeds. What is said of different seeds is open where they differ, modulo 2^64, by a multiple of the
/// constant in `random_bits` that is as small as the number of draws. How the numbers are drawn is yours.
/// Modules have nothing in common: what happens to one never shows in another.
std::unique_ptr<InputEmbedding> make(const InputEmbeddingConfig& config, std::uint64_t seed);

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
