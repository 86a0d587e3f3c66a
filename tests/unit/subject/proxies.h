#pragma once

#include "contract.h"
#include "subject/proxy.h"

#include <cstdint>

/// The functions of the fixture, called through the session.
namespace subject {
#define ENGINE_NUMBER(NAME) function_##NAME,
enum FunctionNumber : std::uint32_t { EXERCISE_INTERFACE(ENGINE_NUMBER) function_count };
#undef ENGINE_NUMBER
#define ENGINE_PROXY(NAME)                                                                                   \
    [[maybe_unused]] constexpr Proxy<decltype(exercise::NAME)> NAME{function_##NAME, #NAME};
EXERCISE_INTERFACE(ENGINE_PROXY)
#undef ENGINE_PROXY
} // namespace subject
