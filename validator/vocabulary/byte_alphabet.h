#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace vocabulary {

/// The bytes that a token stands for in GPT-2's files, which write each byte as a character that can be
/// printed; nothing where a character stands for no byte, or the text is no UTF-8. Source: Radford et al.,
/// "Language Models are Unsupervised Multitask Learners", 2019, and its file encoder.py: printable characters
/// of Latin-1 stand for themselves, the other 68 bytes for the characters from U+0100 on, in order.
std::optional<std::string> bytes_of(std::string_view written);

/// How GPT-2's files write the bytes.
std::string written(std::string_view bytes);

} // namespace vocabulary
