#pragma once

#include "emulator/edits.h"

namespace emulator {

/// Lets other threads run in loops of device code that do nothing but look at memory: `while (flag == 0);`.
/// Threads do not preempt each other here. One that counts its looks, too, waits for a while only.
void rewrite_waiting_loops(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits);

} // namespace emulator
