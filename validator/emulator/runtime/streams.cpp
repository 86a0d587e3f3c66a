#include "runtime/streams.h"

#include "runtime/errors.h"
#include "runtime/findings.h"
#include "runtime/memory.h"
#include "runtime/promises.h"

#include <chrono>
#include <deque>
#include <memory>
#include <set>
#include <utility>

/// What an event remembers of its latest record. Shared with the work that will complete it.
struct EventRecord {
    CUstream_st* stream = nullptr;
    std::uint64_t sequence = 0;
    bool complete = false;
    std::chrono::steady_clock::time_point time;
};

struct Step {
    std::uint64_t sequence = 0; ///< order in which the program asked for work, over all streams
    std::function<void()> work;
    std::shared_ptr<EventRecord> waits_for;
};

struct CUstream_st {
    bool blocking = true; ///< takes part in the rules of the default stream
    std::deque<Step> steps;
};

struct CUevent_st {
    std::shared_ptr<EventRecord> record;
    bool timing = true;
};

namespace cuda_emulator {

namespace {

std::uint64_t next_sequence = 1;
CUstream_st default_stream, per_thread_stream;
std::set<CUstream_st*> streams{&default_stream, &per_thread_stream};
std::set<CUevent_st*> events;

CUstream_st* resolve(cudaStream_t stream) {
    if (stream == nullptr || stream == cudaStreamLegacy) return &default_stream;
    if (stream == cudaStreamPerThread) return &per_thread_stream;
    return streams.contains(stream) ? stream : nullptr;
}

/// Runs the stream's work up to the given sequence number, and first whatever that work must wait for.
/// Everything waited for was asked for earlier, so this ends.
void run_until(CUstream_st* stream, std::uint64_t sequence) {
    while (!stream->steps.empty() && stream->steps.front().sequence <= sequence) {
        Step step = std::move(stream->steps.front());
        stream->steps.pop_front();
        if (stream == &default_stream) {
            for (CUstream_st* other : std::set<CUstream_st*>(streams))
                if (other != stream && other->blocking) run_until(other, step.sequence - 1);
        } else if (stream->blocking) {
            run_until(&default_stream, step.sequence - 1);
        }
        if (step.waits_for && !step.waits_for->complete)
            run_until(step.waits_for->stream, step.waits_for->sequence);
        if (step.work) step.work();
    }
}

constexpr std::uint64_t everything = ~std::uint64_t{0};

CUstream_st* make_stream(bool blocking) {
    auto* stream = new CUstream_st{.blocking = blocking, .steps = {}};
    streams.insert(stream);
    return stream;
}

} // namespace

bool is_stream(cudaStream_t stream) {
    return resolve(stream) != nullptr;
}

bool is_default_stream(cudaStream_t stream) {
    return resolve(stream) == &default_stream;
}

cudaError_t enqueue(cudaStream_t stream, std::function<void()> work) {
    CUstream_st* target = resolve(stream);
    if (target == nullptr) return finish(cudaErrorInvalidResourceHandle);
    target->steps.push_back({next_sequence++, std::move(work), nullptr});
    return cudaSuccess;
}

void finish_stream(cudaStream_t stream) {
    run_until(resolve(stream), everything);
}

void finish_all_streams() {
    for (CUstream_st* stream : std::set<CUstream_st*>(streams))
        run_until(stream, everything);
}

void forget_streams() {
    for (CUstream_st* stream : streams) {
        stream->steps.clear();
        if (stream != &default_stream && stream != &per_thread_stream) delete stream;
    }
    streams = {&default_stream, &per_thread_stream};
    for (CUevent_st* event : events)
        delete event;
    events.clear();
}

} // namespace cuda_emulator

using namespace cuda_emulator;

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int flags) {
    const Call call;
    if (call.broken()) return call.broken();
    if (stream == nullptr || flags > cudaStreamNonBlocking) return finish(cudaErrorInvalidValue);
    *stream = make_stream(flags != cudaStreamNonBlocking);
    return cudaSuccess;
}

cudaError_t cudaStreamCreate(cudaStream_t* stream) {
    return cudaStreamCreateWithFlags(stream, cudaStreamDefault);
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t* stream, unsigned int flags, int) {
    return cudaStreamCreateWithFlags(stream, flags);
}

cudaError_t cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    const Call call;
    if (call.broken()) return call.broken();
    *least = *greatest = 0;
    return cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    const Call call;
    if (call.broken()) return call.broken();
    CUstream_st* target = resolve(stream);
    if (target == nullptr || target == &default_stream || target == &per_thread_stream)
        return finish(cudaErrorInvalidResourceHandle);
    run_until(target, everything);
    streams.erase(target);
    delete target;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    const Call call;
    if (call.broken()) return call.broken();
    if (!is_stream(stream)) return finish(cudaErrorInvalidResourceHandle);
    ++counters.synchronizations;
    note_waiting({"cudaStreamSynchronize", __builtin_return_address(0)});
    finish_stream(stream);
    return outcome_of_waiting();
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    const Call call;
    if (call.broken()) return call.broken();
    if (!is_stream(stream)) return finish(cudaErrorInvalidResourceHandle);
    finish_stream(stream);
    return outcome_of_waiting();
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
    const Call call;
    if (call.broken()) return call.broken();
    CUstream_st* target = resolve(stream);
    if (target == nullptr || !events.contains(event)) return finish(cudaErrorInvalidResourceHandle);
    if (event->record) target->steps.push_back({next_sequence++, {}, event->record});
    return cudaSuccess;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void* data) {
    const Call call;
    if (call.broken()) return call.broken();
    if (function == nullptr) return finish(cudaErrorInvalidValue);
    return enqueue(stream, [function, data] { function(data); });
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t function, void* data,
                                  unsigned int flags) {
    const Call call;
    if (call.broken()) return call.broken();
    if (function == nullptr || flags != 0) return finish(cudaErrorInvalidValue);
    return enqueue(stream, [=] { function(stream, cudaSuccess, data); });
}

cudaError_t cudaDeviceSynchronize() {
    const Call call;
    if (call.broken()) return call.broken();
    ++counters.synchronizations;
    note_waiting({"cudaDeviceSynchronize", __builtin_return_address(0)});
    finish_all_streams();
    return outcome_of_waiting();
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
    const Call call;
    if (call.broken()) return call.broken();
    if (event == nullptr) return finish(cudaErrorInvalidValue);
    *event = new CUevent_st{.record = {}, .timing = (flags & cudaEventDisableTiming) == 0};
    events.insert(*event);
    return cudaSuccess;
}

cudaError_t cudaEventCreate(cudaEvent_t* event) {
    return cudaEventCreateWithFlags(event, cudaEventDefault);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    const Call call;
    if (call.broken()) return call.broken();
    if (events.erase(event) == 0) return finish(cudaErrorInvalidResourceHandle);
    delete event;
    return cudaSuccess;
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    const Call call;
    if (call.broken()) return call.broken();
    CUstream_st* target = resolve(stream);
    if (target == nullptr || !events.contains(event)) return finish(cudaErrorInvalidResourceHandle);
    auto record = std::make_shared<EventRecord>(EventRecord{target, next_sequence, false, {}});
    event->record = record;
    return enqueue(stream, [record] {
        record->complete = true;
        record->time = std::chrono::steady_clock::now();
    });
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    const Call call;
    if (call.broken()) return call.broken();
    if (!events.contains(event)) return finish(cudaErrorInvalidResourceHandle);
    ++counters.synchronizations;
    note_waiting({"cudaEventSynchronize", __builtin_return_address(0)});
    const auto record = event->record;
    if (record && !record->complete) run_until(record->stream, record->sequence);
    return outcome_of_waiting();
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    const Call call;
    if (call.broken()) return call.broken();
    if (!events.contains(event)) return finish(cudaErrorInvalidResourceHandle);
    const auto record = event->record;
    if (record && !record->complete) run_until(record->stream, record->sequence);
    return outcome_of_waiting();
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t stop) {
    const Call call;
    if (call.broken()) return call.broken();
    if (!events.contains(start) || !events.contains(stop) || !start->timing || !stop->timing ||
        !start->record || !stop->record)
        return finish(cudaErrorInvalidResourceHandle);
    if (!start->record->complete || !stop->record->complete) return cudaErrorNotReady;
    *milliseconds =
        std::chrono::duration<float, std::milli>(stop->record->time - start->record->time).count();
    return cudaSuccess;
}
