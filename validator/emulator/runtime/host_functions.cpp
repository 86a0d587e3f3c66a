#include "runtime/errors.h"
#include "runtime/promises.h"
#include "runtime/streams.h"

#include <cuda_runtime.h>
#include <functional>
#include <utility>

using namespace cuda_emulator;

namespace {

/// A host function tells some thread of the host to go on, which then waits for it without a call of the
/// runtime: so it runs now, with all that comes before it, and the host is taken to have waited. A call of a
/// contract waits for nothing; the judge waits after it.
cudaError_t run_on_host(cudaStream_t stream, std::function<void()> function, const void* caller) {
    const cudaError_t error = enqueue(stream, std::move(function), ApiCall{"A host function", caller});
    if (error == cudaSuccess && !is_promised()) finish_stream(stream);
    return error;
}

} // namespace

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    const Call call;
    if (call.broken()) return call.broken();
    if (function == nullptr) return finish(cudaErrorInvalidValue);
    return run_on_host(
        stream, [=] { function(data); }, __builtin_return_address(0));
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned int flags) {
    const Call call;
    if (call.broken()) return call.broken();
    if (function == nullptr || flags != 0) return finish(cudaErrorInvalidValue);
    return run_on_host(
        stream, [=] { function(stream, cudaSuccess, data); }, __builtin_return_address(0));
}
