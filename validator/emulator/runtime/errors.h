#pragma once

#include "cuda_runtime.h"

#include <mutex>

namespace cuda_emulator {

/// Held by every call of the runtime. Recursive, since host functions on a stream may call it again.
extern std::recursive_mutex runtime_mutex;

/// How every call of the runtime begins: alone, never from a kernel, and with nothing to do once a kernel has
/// failed and a call has said so.
class Call {
  public:
    Call();
    /// The error that ended the context, if one did: the call must return it.
    cudaError_t broken() const { return broken_; }

  private:
    std::lock_guard<std::recursive_mutex> lock_;
    cudaError_t broken_;
};

/// Remembers a failure for cudaGetLastError; returns it.
cudaError_t finish(cudaError_t error);

/// A kernel has failed: the next call that waits for it learns of it, and from then on every call does.
void kernel_failed(cudaError_t error);
/// True once a kernel has failed: nothing runs any more.
bool device_is_dead();
/// After waiting for work: what it came to.
cudaError_t outcome_of_waiting();
void forget_errors();

} // namespace cuda_emulator
