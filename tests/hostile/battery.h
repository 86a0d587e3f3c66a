#pragma once

#include "model/judgement.h"
#include "model/verdict.h"

#include <span>

/// Everything that has been tried against the judge, and what has to come of it: one row a program.
namespace hostile {

/// Which tests a program may fail.
enum class Fails {
    nothing,     ///< accepted: what it tried was in vain, or no crime
    marked,      ///< "four ids pick four rows" and no other: the other tests ran on and passed
    first_named, ///< `first`, and perhaps others
    everything,
};

/// What is not the same for most rows.
struct Terms {
    bool graded = false;     ///< all tests and both builds; else the visible tests of the optimised build
    bool waits = false;      ///< for the deadline of a call, whatever its verdict: then that comes soon
    std::size_t tests = 100; ///< only so many tests of the problem: for what takes its time in each of them
    bool spends = false;     ///< what all calls have together: then that is little
    model::Verdict or_else = model::Verdict::skipped; ///< another verdict that is as good, at another level
    bool own_user =
        false; ///< at level C it holds only where the worker has a user of its own, thus under root
    /// What the program says when it is let loose without a sandbox: the proof that its attack works.
    /// Empty: there is nothing to switch off.
    const char* control = "";
    bool sanitized_control = false; ///< the control is a checked build, which sees nothing
    const char* no_control = "";    ///< why its control is not run, where it would have one
};

struct Row {
    const char* file;      ///< in programs/, without .cpp; a folder there is a submission of several files
    const char* mechanism; ///< what stops it, or shows it
    model::Verdict verdict = model::Verdict::accepted;
    const char* says = ""; ///< within the first failing test's message, or the first error of the compiler
    Fails fails = Fails::nothing;
    const char* first = ""; ///< for Fails::first_named
    Terms terms = {};
};

std::span<const Row> battery();

} // namespace hostile
