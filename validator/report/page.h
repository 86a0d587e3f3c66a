#pragma once

#include "report/escape.h"
#include "text/wrap.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Laying out text for a terminal: wrapping, colours, marks.
namespace report {

enum class Tone { plain, strong, good, bad };

/// Grows line by line. Every text given to it is escaped here, and colour is put around whole pieces after
/// wrapping, so that no line is too wide and no escape sequence is cut.
class Page {
  public:
    struct Style {
        bool colour = false;
        int width = 80; ///< columns
        bool unicode = true;
        bool plain = false; ///< for a screen reader: no rules, no marks below a line, no columns
    };

    explicit Page(Style style) : style_(style) {}

    /// Paragraphs, one a line of `text`, indented by `indent` blanks; continued lines by `hang` more.
    void paragraph(std::string_view text, Tone tone = Tone::plain, int indent = 0, int hang = 0);

    /// The same for one sentence: a line end in it appears as \n, so that it cannot pose as a line of ours.
    void sentence(std::string_view text, Tone tone = Tone::plain, int indent = 0, int hang = 0);

    /// A sentence after a label in a tone of its own, on the same line.
    void labelled(std::string_view label, Tone tone, std::string_view text, int indent, int hang);

    /// A line of source with a mark under its byte `column` (from 1). A line that does not fit is cut around
    /// the mark.
    void source_line(std::string_view source, int column, Tone tone, int indent);

    /// "✓ name                2/2": the mark in `tone`, the name wrapped, the tail flush right in the first
    /// line.
    void row(std::string_view mark, Tone tone, std::string_view name, std::string_view tail);

    /// A rule across the page with a title in it, or without.
    void rule(std::string_view title = "");

    /// At most `lines` lines of foreign text, and 100 bytes for each, wrapped.
    void verbatim(std::string_view text, std::size_t lines, Tone tone = Tone::plain);

    /// "→ What to do now."; nothing for an empty sentence.
    void next_step(std::string_view sentence);

    /// Lines that are safe and narrow enough already.
    void ready(std::string_view lines) { text_ += lines; }

    void blank();

    bool plain() const { return style_.plain; }
    bool unicode() const { return style_.unicode; }

    /// One of two spellings, by what the terminal can show.
    std::string_view glyph(std::string_view unicode, std::string_view ascii) const;

    std::string text() && { return std::move(text_); }

  private:
    void wrapped(std::string_view shown, Tone tone, int indent, int hang);
    std::string safe(std::string_view text, std::size_t limit, Lines lines) const;
    std::string toned(std::string_view text, Tone tone) const;

    Style style_;
    std::string text_;
};

} // namespace report
