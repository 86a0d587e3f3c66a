#pragma once

namespace cuda_emulator {

/// Whether work is asked for and checked, but not done: a launch of a size that the emulator could not run in
/// time shows all the same whether a device would accept it.
bool rehearsing();

} // namespace cuda_emulator
