#pragma once

// Compiled once a problem: "contract.h" is the problem's own.
#include "contract.h"
#include "subject/proxy.h"

/// What a suite calls: `subject::f` is the submission, `reference::f` the trusted implementation, for every f
/// that the contract lists.
namespace subject {

#define ENGINE_NUMBER(NAME) function_##NAME,
enum FunctionNumber : std::uint32_t { EXERCISE_INTERFACE(ENGINE_NUMBER) };
#undef ENGINE_NUMBER

#define ENGINE_PROXY(NAME) inline constexpr Proxy<decltype(exercise::NAME)> NAME{function_##NAME, #NAME};
EXERCISE_INTERFACE(ENGINE_PROXY)
#undef ENGINE_PROXY

} // namespace subject

namespace reference {

#define ENGINE_REFERENCE(NAME) extern decltype(exercise::NAME) NAME;
EXERCISE_INTERFACE(ENGINE_REFERENCE)
#undef ENGINE_REFERENCE

} // namespace reference
