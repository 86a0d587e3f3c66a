#pragma once

// Compiled after the problem's "contract.h": the functions of that contract as table entries.
#include "subject/shim/table.h"

namespace subject::shim {
namespace {

#define ENGINE_ENTRY(NAME) [](Call& call) { invoke(&exercise::NAME, call); },
void (*const entries[])(Call&) = {EXERCISE_INTERFACE(ENGINE_ENTRY)};
#undef ENGINE_ENTRY

} // namespace
} // namespace subject::shim
