#include "harness/run.h"

#include "harness/recorder.h"

namespace harness {

bool run_guarded(const std::function<void()>& body) {
    Recorder& recorder = Recorder::current();
    try {
        body();
        return true;
    } catch (const subject::CallLost&) {
        // The listener was told when it happened.
    } catch (const subject::LearnerThrew& thrown) {
        recorder.add({.kind = Finding::Kind::threw, .text = thrown.what(), .type = thrown.type});
    } catch (const std::exception& error) {
        recorder.add({.kind = Finding::Kind::broken_suite, .text = error.what()});
    }
    return false;
}

} // namespace harness
