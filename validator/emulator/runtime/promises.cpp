#include "runtime/promises.h"

#include "runtime/faults.h"
#include "runtime/findings.h"
#include "runtime/observer.h"
#include "runtime/streams.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace cuda_emulator {

using emulator::FindingKind;

namespace {

struct Taken {
    std::size_t bytes;
    ApiCall by;
};

struct Promise {
    bool in_force = false;
    bool was_made = false;
    cudaStream_t stream = nullptr;
    std::uint64_t launches = 0;           ///< before the call
    std::map<const void*, Taken> taken{}; ///< and not yet given back
    std::vector<TaskPointer> rehearsed{};
};
Promise promise;

void report_broken(FindingKind kind, std::string message, emulator::Location where, std::string kernel = {}) {
    report({.kind = kind,
            .message = std::move(message),
            .kernel = std::move(kernel),
            .thread = {},
            .where = std::move(where),
            .other = {},
            .other_thread = {}});
}

} // namespace

emulator::Location location(const ApiCall& call) {
    return {{}, 0, program_offset(call.caller) - 1}; // the call returns behind itself
}

bool is_elsewhere(cudaStream_t stream) {
    return promise.in_force && is_default_stream(stream) && !is_default_stream(promise.stream);
}

void note_waiting(const ApiCall& call) {
    if (!promise.in_force) return;
    report_broken(FindingKind::call_waits,
                  std::string(call.name) + " waits for the device, and this call waits for nothing.",
                  location(call));
}

void note_work(cudaStream_t stream, const ApiCall& call) {
    if (!is_elsewhere(stream)) return;
    report_broken(FindingKind::wrong_stream,
                  std::string(call.name) + " works on the default stream, not on the one that was given.",
                  location(call));
}

void note_launch(const Configuration& c) {
    if (!is_elsewhere(c.stream)) return;
    report_broken(FindingKind::wrong_stream,
                  std::string(c.kernel) +
                      " is launched on the default stream, not on the one that was given.",
                  {c.file, c.line, 0});
}

void note_rehearsed(TaskPointer task) {
    if (promise.in_force) promise.rehearsed.push_back(std::move(task));
}

void note_taken(const void* memory, std::size_t bytes, const ApiCall& call) {
    if (promise.in_force) promise.taken.insert_or_assign(memory, Taken{bytes, call});
}

void note_given_back(const void* memory) {
    promise.taken.erase(memory);
}

void note_error_taken(const ApiCall& call) {
    if (!promise.in_force) return;
    report_broken(FindingKind::error_taken,
                  std::string(call.name) + " takes the last error, and the caller does not see it any more.",
                  location(call));
}

void note_variable_written(const std::string& by, emulator::Location where) {
    if (!promise.was_made) return;
    report_broken(FindingKind::variable_written,
                  by + " writes a variable of the device, and a call on another stream may do so at the same "
                       "time.",
                  std::move(where));
}

void note_kept_written(const std::string& by, std::size_t bytes, emulator::Location where) {
    report_broken(FindingKind::padding_written,
                  by + " writes " + count_of(bytes, "byte") +
                      ", and not all of them are elements of an output: some are padding or an input, and "
                      "even the value that was there must not be written to them.",
                  std::move(where));
}

namespace {

/// Of work that is done the tracer knows more: which bytes it uses.
void expect_rehearsed_work_to_be_waited_for() {
    if (promise.rehearsed.empty()) return;
    const TaskPointer after = caller_task(promise.stream);
    for (const TaskPointer& task : promise.rehearsed)
        if (!after->clock.knows(task->timeline, task->number))
            report_broken(FindingKind::race_between_streams,
                          task->name +
                              " works on another stream, and the one that was given does not wait for it.",
                          task->asked);
    promise.rehearsed.clear();
}

} // namespace

bool is_promised() {
    return promise.in_force;
}

void begin_promise(cudaStream_t stream) {
    promise = {.in_force = true, .was_made = true, .stream = stream, .launches = counters.launches};
    if (observer) observer->call_begins(caller_task(stream));
}

std::uint64_t end_promise() {
    promise.in_force = false;
    expect_rehearsed_work_to_be_waited_for();
    if (observer) observer->call_ends(caller_task(promise.stream));
    for (const auto& [memory, taken] : promise.taken)
        report_broken(FindingKind::not_given_back,
                      count_of(taken.bytes, "byte") + " of " + taken.by.name +
                          " are not given back by the call that took them.",
                      location(taken.by));
    promise.taken.clear();
    return counters.launches - promise.launches;
}

} // namespace cuda_emulator
