#pragma once

#include "model/judgement.h"

namespace build {

/// The compiler warns of a function that must return a value and has no `return` at all. One that may end
/// without it, or whose `switch` names every enumerator, is another matter.
bool never_returns(const model::Diagnostic& diagnostic);

} // namespace build
