#pragma once

#include "reader/outline.h"

namespace reader {

/// True if the identifier at `use` is a name that the source gives to something of its own there: the
/// declaration itself, or a later use inside the braces that hold it. Found without parsing, by what
/// declarations look like.
bool is_declared(const TokenView& tokens, std::size_t use);

/// True if something other than the declaration at `outer` gives the name at `use` its meaning there.
bool is_hidden(const TokenView& tokens, std::size_t use, std::size_t outer);

} // namespace reader
