#pragma once

#include "model/judgement.h"
#include "model/justification.h"
#include "model/stage.h"
#include "store/errors.h"
#include "store/kind.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace SQLite {
class Database;
}

/// The learner's progress: attempts, answers, hints used and stages reached, in one SQLite file.
namespace store {

/// One judged run.
struct Attempt {
    std::uint64_t number = 0; ///< 1, 2, 3 … within the problem
    std::string problem;
    std::string started; ///< UTC, 2026-01-31T12:00:00Z
    std::string command; ///< "test" or "submit-build"
    bool graded = false; ///< all tests and both builds ran
    model::Verdict verdict = model::Verdict::judge_error;
    double points = 0;
    double max_points = 0;
    std::uint64_t seed = 0;
};

/// Where the learner stands with one problem. Runs that ended in judge_error count nowhere: they are our
/// fault.
struct Progress {
    std::string problem;
    bool accepted = false;  ///< a graded run was accepted
    double best_points = 0; ///< of graded runs
    double max_points = 0;  ///< of that best run; 0 where none was graded
    std::uint64_t attempts = 0;
    int hints_used = 0;     ///< rungs seen
    std::string last_tried; ///< start of the last attempt, or empty
};

using model::Stage;

/// The command whose attempts repair a broken program: they say nothing of the learner's own build.
inline constexpr std::string_view fix_command = "submit-fix";

/// A broken program that was handed out for repair. Where its bug is, nobody keeps: a repair is judged as any
/// submission.
struct Plant {
    std::string file;    ///< as the manifest's `files` names it
    std::string text;    ///< as it was handed out
    std::string symptom; ///< as a user would report it
    bool repaired = false;
    std::string planted; ///< UTC
};

/// An open progress database. What a function reported as written survives a killed process and a power cut.
/// Several processes may hold the same file; one Store belongs to one thread.
///
/// Every function throws `Unwritable` where the disk refuses, `Held` where another program holds the file for
/// longer than a few seconds, and `model::EnvironmentError` where it is damaged. None of them changes the
/// file.
class Store {
  public:
    /// Opens the file, or creates it and its folder. A file that is not ours, damaged, or written by a newer
    /// engine is left exactly as it is, and the EnvironmentError says how to recover. A file that may only be
    /// read opens well and answers questions; writing to it throws.
    static Store open(const std::filesystem::path& database);

    /// The older version that opening found and brought up to date; nothing for a new database and for one
    /// that was of this engine's.
    std::optional<std::size_t> migrated_from() const { return migrated_from_; }

    Store(Store&&) noexcept;
    Store& operator=(Store&&) noexcept;
    ~Store();

    /// Returns the attempt's number within its problem. An accepted graded run also reaches the stage
    /// `build`; one of `fix_command` reaches `harden` instead, where a broken program was handed out.
    std::uint64_t record(const model::Judgement& judgement, std::string_view command);

    /// `rung` counts from 1. Seeing a rung again changes nothing.
    void record_hint(std::string_view problem, int rung);

    /// Reaching a stage again keeps the first time.
    void reach(std::string_view problem, Stage stage);

    /// The stages reached, in the order build, justify, harden.
    std::vector<Stage> stages(std::string_view problem) const;

    /// Problems that were tried or whose hints were read, by id.
    std::vector<Progress> progress() const;

    /// All zero for a problem that was never touched.
    Progress progress(std::string_view problem) const;

    /// Newest first, `most` at most.
    std::vector<Attempt> attempts(std::string_view problem, std::size_t most) const;

    /// The newest graded attempt that was accepted: the one whose questions are asked.
    std::optional<Attempt> accepted_attempt(std::string_view problem) const;

    /// Keeps what is handed out for repair.
    void record_plant(std::string_view problem, const Plant& plant);

    /// What was handed out for a problem, newest first.
    std::vector<Plant> plants(std::string_view problem) const;

    /// Keeps every answer, in the order given. `standing` is never open.
    void record_answer(std::string_view problem, std::uint64_t attempt, std::string_view question,
                       const model::Answer& answer, model::Standing standing);

    /// How far the questions of an attempt were answered: a question that has no answer is not in it.
    model::Justification justification(std::string_view problem, std::uint64_t attempt) const;

    /// The attempt of the newest answer to a question of the problem; nothing where there is none.
    std::optional<std::uint64_t> last_justified(std::string_view problem) const;

  private:
    Store(File file, std::unique_ptr<SQLite::Database> database);

    template <typename Work>
    auto guarded(Work work) const;

    File file_;
    std::unique_ptr<SQLite::Database> database_;
    std::optional<std::size_t> migrated_from_;
};

} // namespace store
