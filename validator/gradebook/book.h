#pragma once

#include "coursework/deadline.h"
#include "coursework/roster.h"
#include "model/justification.h"
#include "model/names.h"
#include "model/verdict.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

/// What a gradebook holds, as values.
namespace gradebook {

using Id = std::int64_t;

/// How far a student's work on one problem has come.
enum class State {
    waiting,  ///< is to be judged
    judged,   ///
    missing,  ///< nothing was handed in
    starter,  ///< the starter as it was handed out: no points, and no run
    unclear,  ///< what was handed in cannot be taken; a person has to look
    unjudged, ///< judging failed, which is not the student's fault
};

inline constexpr model::Names<State, 6> states{{
    {State::waiting, "waiting"},
    {State::judged, "judged"},
    {State::missing, "missing"},
    {State::starter, "starter"},
    {State::unclear, "unclear"},
    {State::unjudged, "unjudged"},
}};

constexpr std::string_view name(State state) {
    return name_of(states, state);
}

struct Work {
    std::string problem;
    State state = State::missing;
    std::string hash;    ///< of its files; empty: there are none
    std::string note;    ///< why it is unclear or unjudged
    std::string refused; ///< why its file of answers could not be marked, or empty
    std::optional<Id> judgement;
};

struct AnswerRow {
    std::string problem;
    std::string question;
    std::string kind; ///< of the question, as reports name it
    model::Standing mark = model::Standing::open;
    std::string text;
};

/// One attempt of a student.
struct Attempt {
    Id id = 0;
    std::string student;
    std::string source; ///< where it was found, below what was graded
    coursework::Instant submitted{};
    std::string trouble; ///< why the whole cannot be taken, or empty
    std::vector<Work> works;
    std::vector<AnswerRow> answers;
};

struct TestRow {
    std::string name;
    model::Verdict verdict = model::Verdict::skipped;
    double points = 0;
    double max_points = 0;
    bool hidden = false;
};

/// A mistake that was recognised.
struct MistakeRow {
    std::string name;
    bool certain = true; ///< it explains every failing test; else only some

    bool operator==(const MistakeRow&) const = default;
};

/// A judgement without its report.
struct Judged {
    std::string key; ///< of all that decides it
    std::string problem;
    std::string hash;
    std::string package;
    model::Verdict verdict = model::Verdict::judge_error;
    double points = 0;
    double max_points = 0;
    std::uint64_t seed = 0;
    std::string depth;
    std::string isolation;
    std::string engine;
    std::string compiler;
    std::string started;
    std::vector<TestRow> tests;
    std::vector<MistakeRow> mistakes;
    std::chrono::milliseconds took{0};

    double share() const { return max_points > 0 ? points / max_points : 0; }
};

/// A grade that a person has set; the last one of a student's problem counts.
struct Change {
    std::string student;
    std::string problem;
    double percent = 0;
    std::string who;
    std::string why;
    std::string made; ///< UTC
};

/// A student who is on the class list, or who handed something in.
struct Enrolled : coursework::Student {
    bool listed = false;
};

struct Book {
    std::vector<Enrolled> students; ///< by id
    std::vector<Attempt> attempts;  ///< by time, then in the order in which they were found
    std::map<Id, Judged> judged;
    std::vector<Change> changes; ///< oldest first
};

} // namespace gradebook
