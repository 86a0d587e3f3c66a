#pragma once

#include "picture/figure.h"
#include "picture/scale.h"

#include <string>

/// Pictures for a terminal, in block elements or plain ASCII.
namespace picture {

struct BlockStyle {
    int width = 80; ///< columns
    bool unicode = true;
    bool plain = false; ///< for a screen reader: descriptions and numbers alone
};

/// The lines of a figure, its title first, indented by `indent` blanks.
std::string blocks(const Figure& figure, const BlockStyle& style, int indent = 0);

std::string render_text(const Picture& picture, const BlockStyle& style);

} // namespace picture
