#pragma once

#include "cuda_runtime.h"

#include "runtime/clocks.h"
#include "runtime/promises.h"

#include <chrono>
#include <functional>
#include <memory>

namespace cuda_emulator {

/// The kernel, or the call, that asks for work, and where the program has it.
struct AskedBy {
    std::string name;
    emulator::Location where;

    AskedBy(std::string what, emulator::Location at) : name(std::move(what)), where(std::move(at)) {}
    AskedBy(const ApiCall& call) : name(call.name), where(location(call)) {}
};
/// Puts work at the end of a stream. It runs when something waits for it, after everything it has to wait
/// for: what stands before it on its stream, events, and the rules of the legacy default stream.
cudaError_t enqueue(cudaStream_t stream, std::function<void()> work, const AskedBy& by);

/// The same in a rehearsal, in which the work is not done: only what it would have waited for is known.
cudaError_t rehearse_work(cudaStream_t stream, const AskedBy& by);

/// True for a stream the program may name.
bool is_stream(cudaStream_t stream);
bool is_default_stream(cudaStream_t stream);

/// What the host does now, and what the caller of a contract does on a stream, as tasks among those of
/// streams.
TaskPointer host_task();
TaskPointer caller_task(cudaStream_t stream);

/// What an event remembers of its latest record. Shared with the step that will complete it.
struct EventRecord {
    CUstream_st* stream = nullptr;
    std::uint64_t sequence = 0;
    bool complete = false;
    std::chrono::steady_clock::time_point time;
    Clock clock; ///< of what comes before it
};
/// A record at the end of a stream, and a stream that from now on waits for one.
std::shared_ptr<EventRecord> put_record(cudaStream_t stream);
void put_wait(cudaStream_t stream, const std::shared_ptr<EventRecord>& record);
/// The host waits for what an event stands for.
void finish_record(const EventRecord& record);
void forget_events();

/// The host waits for everything on one stream, or on all of them.
void finish_stream(cudaStream_t stream);
void finish_all_streams();
void forget_streams();

} // namespace cuda_emulator
