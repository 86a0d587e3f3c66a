#pragma once

#include "coursework/outcome.h"
#include "gradebook/book.h"
#include "model/submission.h"
#include "store/kind.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace SQLite {
class Database;
}

/// The grades of a class for one assignment, in one SQLite file.
namespace gradebook {

/// The assignment as it was given, and the seed that was drawn for it.
struct Setup {
    std::string document; ///< engine.assignment/1
    std::uint64_t seed = 0;
};

/// One attempt, with the files of its works by their hash.
struct Handed {
    Attempt attempt; ///< without an id
    std::vector<std::pair<std::string, std::vector<model::SourceFile>>> files;
};

/// A work by the attempt that it belongs to.
struct WorkId {
    Id submission = 0;
    std::string problem;
};

/// An open gradebook. What a function reported as written survives a killed process and a power cut. Only one
/// engine works with a gradebook at a time; one Gradebook belongs to one thread.
///
/// Every function throws store::Unwritable where the disk refuses, store::Held where another program holds
/// the file for longer than a few seconds, and model::EnvironmentError where it is damaged. None of them
/// changes the file then.
class Gradebook {
  public:
    /// Opens the file, or creates it and its folder. Throws as store::open_database does, and store::Held
    /// while another engine works with it.
    static Gradebook open(const std::filesystem::path& file);

    Gradebook(Gradebook&&) noexcept;
    ~Gradebook();

    /// Nothing in a new gradebook.
    std::optional<Setup> setup() const;
    void keep_setup(const Setup& setup);

    /// The class list; who is no longer on it is kept, as not listed.
    void enrol(std::span<const coursework::Student> roster);

    /// Keeps an attempt whose student is new or known. One with the same content as an earlier one of the
    /// student is that one: then only works of problems that were assigned since are added. True where it is
    /// new.
    bool hand_in(const Handed& handed);

    /// All but reports and sources.
    Book read() const;
    std::vector<model::SourceFile> files(const std::string& hash) const;
    std::string report(Id judgement) const;

    /// The judgement of this key; nothing where there is none yet.
    std::optional<Id> find(const std::string& key) const;
    /// Keeps a judgement and gives it to the works, all or nothing.
    Id keep(const std::string& key, const std::string& hash, const std::string& package,
            const coursework::Outcome& outcome, std::span<const WorkId> works);
    /// Gives works their judgements, all or nothing.
    void assign(std::span<const std::pair<WorkId, Id>> works);
    /// What could not be judged, and why.
    void keep_unjudged(std::span<const WorkId> works, const std::string& why);

    /// Throws model::UsageError for an unknown student.
    void change(const Change& change);

  private:
    Gradebook(store::File file, std::unique_ptr<SQLite::Database> database);

    store::File file_;
    std::unique_ptr<SQLite::Database> database_;
};

} // namespace gradebook
