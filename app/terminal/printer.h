#pragma once

#include "terminal/look.h"
#include "terminal/markdown.h"

#include <string>
#include <vector>

namespace terminal {

/// Puts lines of blocks one below the other: prefixes of lists and quotes, and blank lines between blocks.
class Printer {
  public:
    explicit Printer(Style style) : style_(style) {}

    /// Begins a block whose first line starts with `first` and all others with `rest`, both of the same
    /// width. Beyond half the width nothing more is indented, so that deep nesting stays readable and
    /// bounded.
    void open(std::string first, std::string rest);

    /// Ends it. A block without a line yet shows its `first` alone, as an empty list item does.
    void close();

    /// Columns left inside the open blocks.
    int columns_left() const { return style_.width - indent_; }

    void line(const text::Line& line);

    /// Whether a blank line comes before the next line, if one comes at all.
    void separate(bool separate) { blank_ = separate; }

    const std::string& text() const { return out_; }

  private:
    struct Block {
        std::string first;
        std::string rest;
        int width = 0;
        bool begun = false;
    };
    void end_line(std::string line);

    Style style_;
    std::vector<Block> blocks_;
    std::size_t too_deep_ = 0; ///< open blocks that got no prefix
    int indent_ = 0;
    bool blank_ = false;
    std::string out_;
};

} // namespace terminal
