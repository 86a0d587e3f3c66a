#pragma once

#include "reader/outline.h"
#include "reader/tokens.h"

#include <string>
#include <string_view>
#include <vector>

namespace emulator {

/// Text as a string literal.
std::string in_quotes(std::string_view text);

/// A source of which some tokens are replaced. Every blank stays, and with the blanks the lines.
class Edits {
  public:
    Edits(const std::vector<reader::Token>& tokens, const reader::TokenView& view)
        : tokens_(&tokens), view_(&view), replacement_(tokens.size()), changed_(tokens.size()) {}

    /// Positions count significant tokens.
    void replace(std::size_t i, std::string text);
    void remove(std::size_t begin, std::size_t end);
    /// The tokens [begin, end) as they are now, on one line.
    std::string flat(std::size_t begin, std::size_t end) const;
    std::string text() const;

  private:
    const std::vector<reader::Token>* tokens_;
    const reader::TokenView* view_;
    std::vector<std::string> replacement_; ///< of the tokens that changed
    std::vector<bool> changed_;
};

} // namespace emulator
