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

} // namespace model
