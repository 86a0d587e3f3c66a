#pragma once

#include "reader/tokens.h"

#include <string>
#include <string_view>
#include <vector>

namespace reader {

constexpr std::size_t no_token = static_cast<std::size_t>(-1);

/// The tokens of a source that matter, with steps between matching brackets.
class TokenView {
  public:
    explicit TokenView(const std::vector<Token>& tokens);

    std::size_t size() const { return significant_.size(); }
    const Token& operator[](std::size_t i) const { return (*tokens_)[significant_[i]]; }
    /// Position of a significant token among all tokens.
    std::size_t position(std::size_t i) const { return significant_[i]; }
    bool is(std::size_t i, std::string_view text) const { return i < size() && (*this)[i].is(text); }
    bool is_identifier(std::size_t i) const { return i < size() && (*this)[i].kind == TokenKind::identifier; }
    /// The bracket that belongs to the one at i; no_token if there is none.
    std::size_t partner(std::size_t i) const { return partner_[i]; }
    /// The end of the group that opens at i; i itself if none does.
    std::size_t skip(std::size_t i) const {
        const bool opens = is(i, "(") || is(i, "[") || is(i, "{");
        return opens && partner_[i] != no_token ? partner_[i] : i;
    }
    /// The `<` that opens the template list closed by the `>` at i, and the other way round; no_token if
    /// none.
    std::size_t open_angle(std::size_t i) const;
    std::size_t close_angle(std::size_t i) const;

  private:
    const std::vector<Token>* tokens_;
    std::vector<std::size_t> significant_;
    std::vector<std::size_t> partner_;
};

/// What stands where in a file, and which of it is CUDA.
struct Outline {
    /// A function with a body. Positions count significant tokens.
    struct Function {
        std::string name;
        std::size_t open = 0, close = 0; ///< its braces
        bool kernel = false;
        bool device = false; ///< runs on the device: __global__ or __device__
        bool member = false;
        bool immediate = false;        ///< consteval: its calls are numbers before any code runs
        std::size_t declared = 0;      ///< its first word
        std::size_t bounds = no_token; ///< the opening parenthesis of __launch_bounds__
    };

    /// A variable at file scope.
    struct Variable {
        std::string name;
        std::size_t at = 0;
        bool device = false;    ///< __device__, __constant__, __managed__ or __shared__
        bool read_only = false; ///< __constant__, and no pointer: device code cannot write it
        bool constant = false;  ///< its value cannot change: where it is one number, it is compiled in
        bool array = false;
    };

    /// Where namespaces and classes are nested deeper than in any real source; what is in there is unknown.
    std::size_t too_deep = no_token;
    std::vector<Function> functions;
    std::vector<Variable> variables;
    std::vector<std::string> kernels; ///< declared or defined
    /// For each significant token: true outside of functions and classes.
    std::vector<bool> at_file_scope;
};

/// Finds the functions of a file without parsing it: by braces, parentheses and the words in front of them.
Outline outline(const TokenView& tokens);

} // namespace reader
