#pragma once

#include "events/event.h"
#include "events/request.h"
#include "subject/transcript.h"

#include <chrono>
#include <string>
#include <vector>

namespace harness {

/// A case that the submission failed, with all it was seen to do in it.
struct FailedCase {
    std::string name;
    subject::Transcript transcript;
    std::chrono::microseconds duration{0};
    bool large = false; ///< it takes far longer than the others, whatever the submission made of it
};

/// Lets known mistakes go through the failed cases; returns those that did what the submission did. Where
/// some did so in every case, those that did so in only a part of them are left out.
std::vector<events::MistakeMatched> name_mistakes(const events::Request& request, std::vector<FailedCase> failed);

} // namespace harness
