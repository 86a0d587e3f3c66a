#pragma once

/// Small kernels for the tests of the runtime's calls, which include cuda_runtime.h themselves.
#include <cuda_runtime.h>

#include <cstddef>

namespace kernels {

void launch_nothing(dim3 grid, dim3 block, std::size_t shared, cudaStream_t stream);
/// A kernel whose assertion fails.
void launch_failing();
/// *number becomes 10 * *number + digit.
void launch_append_digit(int* number, int digit, cudaStream_t stream);
bool fresh_values_are_nan();

} // namespace kernels
