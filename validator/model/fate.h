#pragma once

namespace model {

/// Why a worker gave no reply to a call.
enum class Fate {
    exited, ///< it ended with a status instead of returning
    signalled,
    timed_out,
    output_exceeded,
    memory_exceeded,
    broke_protocol, ///< it wrote where the protocol lives
};

/// What a call was doing that ran out of time.
enum class OutOfTime {
    unknown,   ///< only the wall clock is known
    computing, ///< it used CPU time
    sleeping,  ///< it waited for something that did not come
    crowded,   ///< it hardly ran, because other programs kept the cores busy
    budget,    ///< the calls of all tests together had used up their time
};

} // namespace model
