#include "runtime/errors.h"

#include "runtime/block.h"
#include "runtime/promises.h"

#include <utility>

namespace cuda_emulator {

std::recursive_mutex runtime_mutex;

namespace {
cudaError_t last_error = cudaSuccess;
cudaError_t unnoticed = cudaSuccess; ///< a kernel failed, and no call has waited for it yet
cudaError_t sticky = cudaSuccess;
} // namespace

Call::Call() : lock_(runtime_mutex), broken_(sticky) {
    if (in_kernel)
        abort_kernel(cudaErrorLaunchFailure, emulator::FindingKind::not_launched,
                     "A kernel calls a function of the CUDA runtime, which only the host can do.",
                     current_launch->line);
}

cudaError_t finish(cudaError_t error) {
    if (error != cudaSuccess) last_error = error;
    return error;
}

void kernel_failed(cudaError_t error) {
    if (unnoticed == cudaSuccess) unnoticed = error;
}

bool device_is_dead() {
    return unnoticed != cudaSuccess || sticky != cudaSuccess;
}

cudaError_t outcome_of_waiting() {
    if (sticky == cudaSuccess) sticky = std::exchange(unnoticed, cudaSuccess);
    return finish(sticky);
}

void forget_errors() {
    last_error = unnoticed = sticky = cudaSuccess;
}

} // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaGetLastError() {
    const Call call;
    note_error_taken({"cudaGetLastError", __builtin_return_address(0)});
    if (call.broken()) return call.broken();
    return std::exchange(last_error, cudaSuccess);
}

cudaError_t cudaPeekAtLastError() {
    const Call call;
    return call.broken() ? call.broken() : last_error;
}

const char* cudaGetErrorName(cudaError_t error) {
    switch (error) {
#define ROW(name, value, text)                                                                               \
    case name: return #name;
        CUDA_EMULATOR_ERRORS(ROW)
#undef ROW
    }
    return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
    switch (error) {
#define ROW(name, value, text)                                                                               \
    case name: return text;
        CUDA_EMULATOR_ERRORS(ROW)
#undef ROW
    }
    return "unrecognized error code";
}
