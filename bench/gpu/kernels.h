#pragma once

#include "cuda-lookup/contract.h"
#undef EXERCISE_INTERFACE
#include "cuda-input-embedding/contract.h"
#undef EXERCISE_INTERFACE
#include "cuda-backward-deterministic/contract.h"
#undef EXERCISE_INTERFACE

/// The references that are measured; the build gives their namespace `exercise` these names.
namespace plain {
extern decltype(exercise::lookup) lookup;
extern decltype(exercise::embed_backward) embed_backward;
} // namespace plain

namespace fast {
extern decltype(exercise::embed) embed;
extern decltype(exercise::embed_bf16) embed_bf16;
extern decltype(exercise::embed_backward) embed_backward;
} // namespace fast
