#include "runtime/errors.h"
#include "runtime/findings.h"
#include "runtime/promises.h"
#include "runtime/streams.h"

#include <set>

struct CUevent_st {
    std::shared_ptr<cuda_emulator::EventRecord> record;
    bool timing = true;
};

namespace cuda_emulator {

namespace {
std::set<CUevent_st*> events;
} // namespace

void forget_events() {
    for (CUevent_st* event : events)
        delete event;
    events.clear();
}

} // namespace cuda_emulator

using namespace cuda_emulator;

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
    if (!events.contains(event) || !is_stream(stream)) return finish(cudaErrorInvalidResourceHandle);
    event->record = put_record(stream);
    return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned int) {
    const Call call;
    if (call.broken()) return call.broken();
    if (!events.contains(event) || !is_stream(stream)) return finish(cudaErrorInvalidResourceHandle);
    if (event->record) put_wait(stream, event->record);
    return cudaSuccess;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    const Call call;
    if (call.broken()) return call.broken();
    if (!events.contains(event)) return finish(cudaErrorInvalidResourceHandle);
    ++counters.synchronizations;
    note_waiting({"cudaEventSynchronize", __builtin_return_address(0)});
    if (event->record) finish_record(*event->record);
    return outcome_of_waiting();
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    const Call call;
    if (call.broken()) return call.broken();
    if (!events.contains(event)) return finish(cudaErrorInvalidResourceHandle);
    if (event->record) finish_record(*event->record);
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
