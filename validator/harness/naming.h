#pragma once

#include "events/event.h"
#include "events/finding.h"
#include "events/request.h"
#include "subject/transcript.h"

#include <chrono>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace harness {

/// A case that the submission failed, with all it was seen to do in it.
struct FailedCase {
    std::string name;
    subject::Transcript transcript;
    std::vector<events::Finding> findings;
    subject::Likeness likeness = subject::Likeness::bits; ///< how much alike numbers must be
    std::chrono::microseconds duration{0};
    std::uint32_t order = 0; ///< of the threads in the run that failed
    bool large = false;      ///< it takes far longer than the others, whatever the submission made of it
};

/// How the cases went that ran to their end.
struct Judged {
    std::vector<FailedCase> failed;
    std::set<std::string> passed;
};

/// Lets known mistakes go through the failed cases that they may fail; returns those that failed some as the
/// submission did. Where some did so in every case, those that did so in only a part of them are left out.
/// A case in which a call was lost tells where the submission stopped, but not what it was about to do: it
/// matches nothing. A mistake that always fails a case which passed is not looked at.
std::vector<events::MistakeMatched> name_mistakes(events::Request request, Judged judged);

} // namespace harness
