#pragma once

#include "harness/adversity/extents.h"
#include "harness/adversity/operand.h"
#include "harness/random.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// A value, content or shape of an argument at which implementations go wrong.
struct Special {
    std::string words;    ///< "the last id is the vocabulary size"
    bool refused = false; ///< the contract refuses it or makes an exception of it
};

/// What is unusual about one argument of a call.
struct Shaping {
    std::size_t gap = 0;                ///< elements between rows
    std::optional<std::size_t> special; ///< which of the parameter's special cases
    std::vector<std::size_t> rows;      ///< ids: choose among these, ascending from 0; empty: among all
    bool rough = false;                 ///< real numbers that have to be rounded when they are added
    int power_of_two = 0;               ///< by which real numbers are multiplied
    bool null = false;                  ///< a view without elements has a null pointer
};

/// One parameter of a function: how its arguments are made, and where they become unusual. Everything that
/// follows from its type and role is said once, in parameters.h.
struct AnyParameter {
    AnyParameter();
    AnyParameter(const AnyParameter&);
    AnyParameter(AnyParameter&&) noexcept;
    AnyParameter& operator=(const AnyParameter&);
    AnyParameter& operator=(AnyParameter&&) noexcept;
    ~AnyParameter();

    std::string name;
    std::function<std::unique_ptr<AnyOperand>(const Extents&, const Shaping&, Random&)> make;
    std::function<std::vector<Special>(const Extents&)> specials;
    /// The same argument in far memory, its rows `stride` elements apart, of which only `rows` are ever used.
    /// Null where a parameter is not a matrix.
    std::function<std::unique_ptr<AnyOperand>(const Extents&, std::size_t stride,
                                              const std::vector<std::size_t>& rows, FarMemory, Random&)>
        make_far;
    /// The same argument in memory that nobody uses, which it takes off the beginning of what is given. Null
    /// where it points at none.
    std::function<std::unique_ptr<AnyOperand>(const Extents&, FarMemory&)> make_hollow;
    std::function<std::size_t(const Extents&)> row_count; ///< of a matrix or tensor; 1 for a span
    std::function<std::size_t(const Extents&)> width;     ///< of a matrix or span
    std::function<std::size_t(const Extents&)> id_count;  ///< of token ids; null where it holds none
    std::size_t element_bytes = 0;                        ///< of what it points at
    bool is_value = false;                                ///< a number, a flag, a struct of options
    bool has_gaps = false;                                ///< its rows may lie apart
    bool written = false;
    bool in_place = true; ///< its content can change while shape and address stay
};

/// One whose operands are `Operand<Argument>`.
template <class Argument>
struct Parameter : AnyParameter {
    using Type = Argument;

    explicit Parameter(std::string name_) { name = std::move(name_); }
};

} // namespace harness
