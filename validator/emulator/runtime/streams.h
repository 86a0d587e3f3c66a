#pragma once

#include "cuda_runtime.h"

#include <functional>

namespace cuda_emulator {

/// Puts work at the end of a stream. It runs when something waits for it, after everything it has to wait
/// for: what stands before it on its stream, events, and the rules of the legacy default stream.
cudaError_t enqueue(cudaStream_t stream, std::function<void()> work);

/// True for a stream the program may name.
bool is_stream(cudaStream_t stream);
bool is_default_stream(cudaStream_t stream);

/// Runs everything on one stream, or on all of them.
void finish_stream(cudaStream_t stream);
void finish_all_streams();
void forget_streams();

} // namespace cuda_emulator
