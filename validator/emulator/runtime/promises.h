#pragma once

#include "cuda_runtime.h"

#include "emulator/trace.h"
#include "runtime/clocks.h"

#include <cstddef>
#include <cstdint>
#include <string>

/// What a call of a contract promises its caller: it puts all its work on one stream, or on others that this
/// one waits for, waits for nothing itself, gives back the memory that it takes, leaves the last error to its
/// caller, and writes nothing but the elements of its outputs: no variable of the device, which another call
/// may use at the same time, and none of the caller's memory around them. Whatever breaks the promise is a
/// finding, at the line that asked for it.
namespace cuda_emulator {

/// A call of the runtime: its name, and where the program made it.
struct ApiCall {
    const char* name;
    const void* caller;
};
emulator::Location location(const ApiCall& call);

void begin_promise(cudaStream_t stream);
/// Returns how many kernels were launched under it.
std::uint64_t end_promise();
bool is_promised();

/// Work on the stream breaks the promise, since it belongs on another.
bool is_elsewhere(cudaStream_t stream);

/// The host waits for the device, or may have to.
void note_waiting(const ApiCall& call);
/// Work is put on a stream.
void note_work(cudaStream_t stream, const ApiCall& call);
void note_launch(const Configuration& configuration);
/// Work that is not done in a rehearsal.
void note_rehearsed(TaskPointer task);
void note_taken(const void* memory, std::size_t bytes, const ApiCall& call);
void note_given_back(const void* memory);
/// The last error is asked for, and is none from now on.
void note_error_taken(const ApiCall& call);
/// A kernel, a copy or a fill writes a variable of the device, perhaps after the call that asked for it.
void note_variable_written(const std::string& by, emulator::Location where);
/// One of them writes memory of the caller that is no element of an output.
void note_kept_written(const std::string& by, std::size_t bytes, emulator::Location where);

} // namespace cuda_emulator
