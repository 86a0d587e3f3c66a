#pragma once

#include "build/object_symbols.h"
#include "build/variant.h"
#include "model/judgement.h"

#include <vector>

namespace build {

/// What is wrong with the names that a submission's object file, compiled as `variant` says, shares with its
/// program: it defines what belongs to the judge, the sanitizers or the C library, or reaches for what
/// observes it. At most 10 messages, one a name.
std::vector<model::Diagnostic> check_symbols(const std::vector<ObjectSymbol>& symbols, Variant variant);

} // namespace build
