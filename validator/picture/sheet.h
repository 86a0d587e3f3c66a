#pragma once

#include "picture/blocks.h"

#include <array>
#include <string>
#include <string_view>

namespace picture {

using Shades = std::array<std::string_view, 4>;

/// What a terminal can show.
struct Signs {
    Shades above;
    Shades below;
    std::string_view blank;
    std::string_view bar;
};

/// Lines of text for a terminal, none of them too wide.
class Sheet {
  public:
    Sheet(const BlockStyle& style, int indent) : style_(style), indent_(indent) {}

    int width() const;
    const Signs& signs() const;
    bool plain() const { return style_.plain; }

    void line(std::string text);

    /// Foreign text, broken to the width.
    void sentence(const std::string& text);

    /// Foreign text cut to some columns, and filled up with blanks.
    std::string field(const std::string& text, int columns, bool flush_right = false) const;

    std::string text() && { return std::move(text_); }

  private:
    BlockStyle style_;
    int indent_;
    std::string text_;
};

} // namespace picture
