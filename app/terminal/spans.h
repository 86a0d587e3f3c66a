#pragma once

#include "terminal/look.h"
#include "terminal/markdown.h"

#include <md4c.h>

#include <string>
#include <string_view>
#include <vector>

namespace terminal {

/// Gathers md4c's events inside one paragraph, heading or table cell as pieces of text with their looks.
class Spans {
  public:
    explicit Spans(Style style) : style_(style) {}

    void enter(MD_SPANTYPE type, const void* detail);
    void leave(MD_SPANTYPE type);
    void text(MD_TEXTTYPE type, std::string_view text);

    /// Everything gathered since the last time.
    text::Pieces take();

  private:
    struct Target {
        std::string address;
        std::size_t begins = 0; ///< index of the link's first piece
    };
    void add(std::string_view text);
    void sign(std::string_view markdown);
    void end_link();

    Style style_;
    text::Pieces pieces_;
    int strong_ = 0, emphasis_ = 0, code_ = 0;
    std::vector<Target> links_;
};

} // namespace terminal
