#pragma once

#include "harness/recorder.h"

namespace harness {

/// Whether the run makes the calls, too, that take long or that find only what somebody writes who knows how
/// suites look for faults. docs/authoring.md lists them.
inline bool is_thorough() {
    return Recorder::current().thorough();
}

/// Of two sizes, or two numbers of calls, the one for the depth of the run.
template <class T>
T by_depth(T graded, T thorough) {
    return is_thorough() ? thorough : graded;
}

} // namespace harness
