#pragma once

#include "reader/outline.h"

namespace emulator {

/// The first token of the expression in front of `<<<`: a name with its qualifiers and template
/// arguments, a member, an element, or something in parentheses. no_token if there is none.
std::size_t callee_begin(const reader::TokenView& tokens, std::size_t launch);

/// The first of the three `>` that end the configuration; `commas` counts those between its arguments.
/// no_token if they are missing.
std::size_t configuration_end(const reader::TokenView& tokens, std::size_t begin, int* commas);

} // namespace emulator
