#pragma once

#include "model/access.h"
#include "model/fate.h"
#include "model/judgement.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace events {

/// The effect of a call that crashed, never ended or ended the program. Its test says which.
inline constexpr const char* does_not_return = "the call does not return";

/// What went wrong in a test case. The suite and the proxy say what was seen; `grading` says what it means.
struct Finding {
    enum class Kind {
        mismatch,  ///< values differ from what is right
        assertion, ///< a property does not hold; `text` says which
        died,      ///< a call had no reply; `fate` says why
        threw,     ///< `type` and `text` of an exception nobody expected
        not_implemented,
        out_of_memory,
        device_failed, ///< `text` is what the device's runtime said
        overrun,       ///< memory next to an argument's buffer was changed
        changed_input,
        left_modes,   ///< the modes of floating-point arithmetic are not as they were
        broken_suite, ///< the suite itself failed: never the learner's fault
    };
    Kind kind = Kind::assertion;
    std::string function; ///< the call concerned, or empty
    std::string text;
    std::string type;                       ///< threw: the exception's type
    model::Fate fate = model::Fate::exited; ///< died
    std::string kernel;                     ///< died: the kernel that was running
    std::vector<std::uint64_t> frames; ///< died: where, innermost first, as offsets in the worker's program
    std::string file;                  ///< died: the learner's file and line of the innermost frame that has
    int line = 0;                      ///< one, once that was looked up
    std::string context;               ///< sizes and other facts that the suite gave
    std::string call;                  ///< the last call before it, where the context does not say
    std::uint64_t call_number = 0;     ///< of that call in the recording of its case; 0: it is in none
    int argument = 0;      ///< counted from 1. overrun, changed_input; died: past whose end, 0 if past none
    std::string parameter; ///< overrun, died: the contract's name for it, once that was looked up
    model::Access access = model::Access::unknown; ///< died: how memory past that end was used
    int code = 0;                                  ///< died: exit status or signal
    bool before = false;    ///< overrun: before the buffer; died: before the first call
    bool untouched = false; ///< mismatch: nothing was written at all
    model::OutOfTime out_of_time = model::OutOfTime::unknown; ///< died, timed_out: what the call was doing
    std::int64_t limit_ms = 0; ///< likewise: the time that was used up, 0 where it is not known
    std::uint64_t peak_kib = 0;
    std::optional<model::Mismatch> mismatch;
};

} // namespace events
