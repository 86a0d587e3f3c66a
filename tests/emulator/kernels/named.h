#pragma once

#include <vector>

/// Kernels and variables whose names a whole program knows, where other tests have an unnamed namespace.
namespace named {

/// 0, 2, 4, ... of 64, each half of the block reversed by way of shared memory: 62, 60, ..., 0, 126, ...
std::vector<int> reversed_doubles();
std::vector<float> reversed_doubles_of_floats();

} // namespace named
