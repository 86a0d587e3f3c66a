#include "runtime/streams.h"

#include "runtime/errors.h"
#include "runtime/findings.h"
#include "runtime/memory.h"
#include "runtime/observer.h"
#include "runtime/promises.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <tuple>
#include <utility>
#include <vector>

struct Step {
    std::uint64_t sequence = 0; ///< order in which the program asked for work, over all streams
    std::function<void()> work;
    std::shared_ptr<cuda_emulator::EventRecord> waits_for;
    cuda_emulator::TaskPointer task; ///< null if it uses no memory
};

struct CUstream_st {
    bool blocking = true; ///< takes part in the rules of the default stream
    std::deque<Step> steps;
    std::uint64_t age = 0; ///< streams made before it
    cuda_emulator::Timeline timeline = cuda_emulator::host_timeline;
    std::uint64_t tasks = 0;      ///< on its timeline
    cuda_emulator::Clock clock{}; ///< of its latest task, and of what it waits for
};

namespace cuda_emulator {

namespace {

std::uint64_t next_sequence = 1;
Timeline next_timeline = host_timeline + 1;
std::uint64_t streams_made = 0;
CUstream_st default_stream{.steps = {}, .age = streams_made++, .timeline = next_timeline++},
    per_thread_stream{.steps = {}, .age = streams_made++, .timeline = next_timeline++};
/// Timelines of destroyed streams, with their last task. The host knows of all their tasks, so those of a new
/// stream, which go on from there, come after them anyway. Without that every clock grows with each stream.
std::vector<std::pair<Timeline, std::uint64_t>> ended_timelines;
Clock host_clock;             ///< what the host knows to have happened
std::uint64_t host_tasks = 0; ///< of the host, that some task of a stream follows
std::set<CUstream_st*> streams{&default_stream, &per_thread_stream};

CUstream_st* resolve(cudaStream_t stream) {
    if (stream == nullptr || stream == cudaStreamLegacy) return &default_stream;
    if (stream == cudaStreamPerThread) return &per_thread_stream;
    return streams.contains(stream) ? stream : nullptr;
}

/// All streams, the oldest first: the order of addresses would be another one in each run.
std::vector<CUstream_st*> streams_by_age() {
    std::vector<CUstream_st*> all(streams.begin(), streams.end());
    std::sort(all.begin(), all.end(),
              [](const CUstream_st* a, const CUstream_st* b) { return a->age < b->age; });
    return all;
}

/// Runs the stream's work up to the given sequence number, and first whatever that work must wait for.
/// Everything waited for was asked for earlier, so this ends. `waited_for` says that the host waits for it.
void run_until(CUstream_st* stream, std::uint64_t sequence, bool waited_for = true) {
    while (!stream->steps.empty() && stream->steps.front().sequence <= sequence) {
        Step step = std::move(stream->steps.front());
        stream->steps.pop_front();
        if (stream == &default_stream) {
            for (CUstream_st* other : streams_by_age())
                if (other != stream && other->blocking) run_until(other, step.sequence - 1, waited_for);
        } else if (stream->blocking) {
            run_until(&default_stream, step.sequence - 1, waited_for);
        }
        if (step.waits_for && !step.waits_for->complete)
            run_until(step.waits_for->stream, step.waits_for->sequence, waited_for);
        if (step.task) observer->task_begins(step.task, waited_for);
        if (step.work) step.work();
        if (step.task) observer->task_ends();
    }
}

constexpr std::uint64_t everything = ~std::uint64_t{0};

CUstream_st* make_stream(bool blocking) {
    auto* stream = new CUstream_st{.blocking = blocking, .steps = {}, .age = streams_made++};
    if (ended_timelines.empty()) {
        stream->timeline = next_timeline++;
    } else {
        std::tie(stream->timeline, stream->tasks) = ended_timelines.back();
        ended_timelines.pop_back();
    }
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

namespace {

/// A task at the end of a stream: after what the host knows of, and what the default stream's rules put
/// before.
TaskPointer make_task(CUstream_st* stream, std::string name, emulator::Location asked) {
    host_clock.reach(host_timeline, ++host_tasks);
    stream->clock.join(host_clock);
    if (stream == &default_stream) {
        for (const CUstream_st* other : streams)
            if (other->blocking) stream->clock.join(other->clock);
    } else if (stream->blocking) {
        stream->clock.join(default_stream.clock);
    }
    stream->clock.reach(stream->timeline, ++stream->tasks);
    return std::make_shared<Task>(
        Task{stream->timeline, stream->tasks, stream->clock, std::move(name), std::move(asked)});
}

void host_learns(const Clock& clock) {
    host_clock.join(clock);
    if (observer) observer->host_waited(host_clock);
}

} // namespace

std::shared_ptr<EventRecord> put_record(cudaStream_t stream) {
    CUstream_st* target = resolve(stream);
    if (target == nullptr) return nullptr;
    const TaskPointer task = make_task(target, {}, {});
    auto record = std::make_shared<EventRecord>(EventRecord{target, next_sequence, false, {}, task->clock});
    const auto happens = [record] {
        record->complete = true;
        record->time = std::chrono::steady_clock::now();
    };
    target->steps.push_back({next_sequence++, happens, nullptr, nullptr});
    return record;
}

void put_wait(cudaStream_t stream, const std::shared_ptr<EventRecord>& record) {
    CUstream_st* target = resolve(stream);
    target->steps.push_back({next_sequence++, {}, record, nullptr});
    target->clock.join(record->clock);
}

void finish_record(const EventRecord& record) {
    if (!record.complete) run_until(record.stream, record.sequence);
    host_learns(record.clock);
}

TaskPointer host_task() {
    Task task{host_timeline, host_tasks + 1, host_clock, "The host", {}};
    task.clock.reach(task.timeline, task.number);
    return std::make_shared<Task>(std::move(task));
}

TaskPointer caller_task(cudaStream_t stream) {
    return make_task(resolve(stream), "The caller", {});
}

cudaError_t enqueue(cudaStream_t stream, std::function<void()> work, const AskedBy& by) {
    CUstream_st* target = resolve(stream);
    if (target == nullptr) return finish(cudaErrorInvalidResourceHandle);
    TaskPointer task;
    // What should be on another stream is found as such.
    if (observer && !is_elsewhere(stream)) observer->task_asked(task = make_task(target, by.name, by.where));
    target->steps.push_back({next_sequence++, std::move(work), nullptr, std::move(task)});
    return cudaSuccess;
}

cudaError_t rehearse_work(cudaStream_t stream, const AskedBy& by) {
    CUstream_st* target = resolve(stream);
    if (target == nullptr) return finish(cudaErrorInvalidResourceHandle);
    if (!is_elsewhere(stream)) note_rehearsed(make_task(target, by.name, by.where));
    return cudaSuccess;
}

void finish_stream(cudaStream_t stream) {
    CUstream_st* target = resolve(stream);
    run_until(target, everything);
    host_learns(target->clock);
}

void finish_all_streams() {
    for (CUstream_st* stream : streams_by_age()) {
        run_until(stream, everything);
        host_clock.join(stream->clock);
    }
    host_learns({});
}

void forget_streams() {
    for (CUstream_st* stream : streams) {
        stream->steps.clear();
        if (stream != &default_stream && stream != &per_thread_stream) delete stream;
    }
    streams = {&default_stream, &per_thread_stream};
    if (observer) observer->streams_forgotten();
    forget_events();
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
    // Its work goes on, though nobody learns of its end: but the default stream still waits for a blocking
    // one.
    run_until(target, everything, false);
    if (target->blocking) default_stream.clock.join(target->clock);
    if (host_clock.knows(target->timeline, target->tasks))
        ended_timelines.emplace_back(target->timeline, target->tasks);
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

cudaError_t cudaDeviceSynchronize() {
    const Call call;
    if (call.broken()) return call.broken();
    ++counters.synchronizations;
    note_waiting({"cudaDeviceSynchronize", __builtin_return_address(0)});
    finish_all_streams();
    return outcome_of_waiting();
}
