#pragma once

#include "catalogue/schema.h"
#include "model/verdict.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace coursework {

struct TestOutcome {
    std::string name;
    model::Verdict verdict = model::Verdict::skipped;
    double points = 0;
    double max_points = 0;
    bool hidden = false;
    std::string message; ///< empty for hidden tests; may hold learner text
    std::string hint;
    std::string file; ///< of the line at which it went wrong; empty: not known
    int line = 0;
};

struct NamedMistake {
    std::string name;
    std::string says;
    std::string hint;
    bool certain = true; ///< it explains every failing test; else only some
};

struct CompilerMessage {
    std::string file;
    int line = 0;
    int column = 0;
    bool error = false;
    std::string text;
};

/// What became of one submission to one problem: what its JSON report says, as far as a gradebook has columns
/// for it.
struct Outcome {
    std::string problem;
    model::Verdict verdict = model::Verdict::judge_error;
    double points = 0;
    double max_points = 0;
    std::string summary;
    std::uint64_t seed = 0;
    std::string depth; ///< graded or thorough
    std::string engine;
    std::string compiler;
    std::string isolation; ///< A to E
    std::string started;   ///< UTC
    std::chrono::milliseconds took{0};
    std::vector<TestOutcome> tests;
    std::vector<NamedMistake> mistakes; ///< best first
    std::vector<CompilerMessage> compiler_messages;
    std::string report; ///< engine.report/1, to the letter
};

/// `name` is what messages call the report. Throws model::ContentError for anything but a report of a graded
/// run.
Outcome read_outcome(const std::string& name, std::string report, const catalogue::Schema& schema);

} // namespace coursework
