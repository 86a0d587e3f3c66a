#pragma once

#include "emulator/edits.h"

namespace emulator {

/// Gives `__CUDA_ARCH__` its value where nvcc's pass for the device gives it one: in functions of the device,
/// and at file scope, which both passes read. Functions of the host do not have it.
void rewrite_architecture(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits);

} // namespace emulator
