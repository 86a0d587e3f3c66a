#pragma once

#include "catalogue/schema.h"
#include "catalogue/source.h"
#include "coursework/deadline.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coursework {

struct AssignedProblem {
    std::string id;
    double weight = 1; ///< relative to the others
};

enum class Counts { last, best };

/// Whether everybody is judged with the same inputs.
enum class Seeding { common, per_student };

/// What a class was asked to do, and how that is graded (schemas/assignment.schema.json).
struct Assignment {
    std::string title;
    std::vector<AssignedProblem> problems;
    std::optional<Instant> deadline;
    LatePolicy late;
    Counts counts = Counts::last;
    double questions_percent = 0;
    bool thorough = false;
    Seeding seeding = Seeding::common;
    std::optional<std::uint64_t> seed; ///< what the seeds are made from; nothing: a number that is drawn
    std::optional<std::chrono::seconds> cpu;
    bool on_gpu = false; ///< CUDA problems run on a GPU as well as on the emulator
};

/// Throws model::ContentError with the file and the JSON pointer, also for a problem that is assigned twice,
/// a time zone that is not known here, and a deadline that clocks skip.
Assignment read_assignment(const catalogue::Source& source, const catalogue::Schema& schema);

} // namespace coursework
