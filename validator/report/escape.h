#pragma once

#include "text/clean.h"

#include <cstddef>
#include <string>
#include <string_view>

/// The only place where text becomes safe to put into a report. Any text of a judgement may come from a
/// learner, so every function here cleans it (text/clean.h) and bounds the length: at most `limit` bytes of
/// the original are kept, whole characters only, followed by "… (N more bytes)".
namespace report {

/// Bytes of an original text that are kept.
namespace limit {
inline constexpr std::size_t name = 200;      ///< of a test, a file, a property
inline constexpr std::size_t sentence = 1000; ///< a hint, a diagnosis, one compiler message
inline constexpr std::size_t message = 4000;  ///< of a test; a question; one annotation
inline constexpr std::size_t output = 16000;  ///< what a submission printed
} // namespace limit

using text::Charset;
using text::Lines;

/// Valid UTF-8 and bounded, nothing else: for formats that escape by themselves, as JSON does.
std::string repaired(std::string_view text, std::size_t limit);

/// For a terminal.
std::string terminal(std::string_view text, std::size_t limit, Lines lines,
                     Charset charset = Charset::unicode);

/// For XML 1.0 text and double-quoted attributes.
std::string xml(std::string_view text, std::size_t limit, Lines lines);

/// For one line of HTML text or a double-quoted attribute.
std::string html(std::string_view text, std::size_t limit);

/// Part of a line of GitHub Flavored Markdown, shown to the letter: no markup, no link, no table cell ends.
/// Something of ours must stand before it, since a dash or "1." begins a list at the start of a line.
std::string markdown(std::string_view text, std::size_t limit);

/// A fenced code block that its content cannot leave.
std::string markdown_block(std::string_view text, std::size_t limit);

/// The data of a GitHub workflow command, what comes after "::": an annotation's message, a group's title.
/// The runner decodes %0D, %0A and %25 in it and nothing else. Line ends survive as %0A, or are shown.
std::string command_data(std::string_view text, std::size_t limit, Lines lines = Lines::keep);

/// The value of a property of a GitHub workflow command, on one line; there %3A and %2C are decoded, too.
std::string command_property(std::string_view text, std::size_t limit);

/// Lines for a workflow log, none of which the runner takes for a command: each starts with "| ", and a pair
/// of stop-commands lines stands around them whose token does not occur in the text.
std::string command_quote(std::string_view text, std::size_t limit);

} // namespace report
