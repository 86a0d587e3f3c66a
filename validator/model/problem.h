#pragma once

#include "model/finding_kind.h"
#include "model/question.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

/// A problem package as values: what `problems/<id>/` says once it has been read and checked.
namespace model {

enum class Language { cpp, cuda };

enum class Visibility { visible, hidden };

/// How much of a failing test a learner may see.
enum class Detail {
    full,     ///< message, mismatch and output
    mismatch, ///< index, expected and got, but no free text of the suite
    verdict,  ///< the verdict alone
};

/// What one call, and one worker, may use.
struct Limits {
    std::chrono::milliseconds wall{1000}; ///< per call of a contract function
    std::chrono::seconds cpu{10};         ///< per worker
    std::uint64_t memory_mib = 512;       ///< per worker
    std::uint64_t output_kib = 64;        ///< per worker, stdout and stderr together
    std::uint64_t threads = 16;           ///< per worker
    std::uint64_t stack_mib = 8;          ///< of the first thread, and of each other one by default
};

/// What a test demands of its kernels' traffic in global and shared memory.
struct TrafficLimits {
    std::optional<double> moved_at_most; ///< bytes moved, in times of the least that would do
    std::optional<double> coalescing_at_least;
    std::optional<std::uint64_t> bank_conflicts_at_most;
};

/// One test case of the suite. `name` is the doctest name, to the letter.
struct TestSpec {
    std::string name;
    double points = 0;
    Visibility visibility = Visibility::visible;
    std::string concept_name; ///< what the learner has not yet understood when it fails
    std::string hint;         ///< one sentence: where to look
    Detail detail = Detail::full;
    std::optional<TrafficLimits> traffic; ///< CUDA
};

/// A known wrong implementation of the contract, from `mistakes/<name>.diff`, or from a whole file there. Who
/// compiles, judges or shows it uses `program`; `file` is for messages.
struct Mistake {
    std::string name;                   ///< file name without extension
    std::filesystem::path file;         ///
    std::string says;                   ///< the diagnosis, in second person
    std::string hint;                   ///< one sentence on where to look next
    std::string symptom;                ///< what a user of the code would see
    std::filesystem::path base;         ///< the right program it was made from; empty for a whole file
    std::string base_text;              ///< its code; where it is an accepted variant, without its header
    std::string program;                ///< the code of the mistake
    std::vector<std::string> always;    ///< tests that fail whatever the seed
    std::vector<std::string> sometimes; ///< tests that fail for some seeds
    std::vector<FindingKind> finds;     ///< CUDA: what the traced build finds besides
    std::vector<std::string> checked;   ///< those of `always` that fail in the checked build alone
};

/// A wrong program by an author outside this project that was accepted once, or that hardly any test refuses.
/// Only `verify` judges it: nothing is ever shown to a learner of it.
struct Witness {
    std::string name; ///< file name without extension
    std::filesystem::path file;
    std::string fault;                   ///< one sentence
    std::string origin;                  ///< a round of docs/rounds.md, or a public report
    bool thorough = false;               ///< it takes a thorough run to refuse it
    std::string program;                 ///< its code
    std::vector<std::string> refused_by; ///< tests, at that depth; empty: not measured
};

/// What seeds it was found out with which tests fail for the mistakes: they follow each other from `first`
/// on.
struct KillSeeds {
    std::uint64_t first = 0;
    std::uint32_t count = 0;   ///< 0: it was not measured
    std::uint32_t checked = 0; ///< so many of them in the checked build, where that was looked at

    bool contain(std::uint64_t seed) const { return seed >= first && seed - first < count; }
};

struct Resource {
    std::string title;
    std::string url;
    std::string why;
};

/// One rung of the ladder; there are four: nudge, idea, steps, worked numbers.
struct Hint {
    std::string title;
    std::string text; ///< Markdown
};

struct Problem {
    std::string id;
    std::string title;
    std::string about; ///< for lists
    std::string part;
    int difficulty = 1; ///< 1 to 5
    int minutes = 30;
    std::vector<std::string> objectives;
    std::vector<std::string> concepts;
    std::vector<std::string> prerequisites; ///< problem ids
    Language language = Language::cpp;
    std::vector<std::string> files; ///< what the learner edits, relative to `exercises/<id>/`
    Limits limits;
    std::vector<TestSpec> tests;
    std::vector<Resource> resources;

    std::string collection;                       ///< title of the collection that it is in
    std::filesystem::path folder;                 ///< problems/<id>
    std::filesystem::path exercise;               ///< exercises/<id>
    std::vector<std::filesystem::path> starters;  ///< pristine copies of `files`, same order
    std::vector<std::filesystem::path> reference; ///< the trusted implementation, same names as `files`
    /// What the driver is compiled with: the reference itself, or the plain C++ of the same name beside a
    /// CUDA one.
    std::vector<std::filesystem::path> host_reference;
    std::vector<std::filesystem::path> accepted; ///< accepted variants
    std::string statement;                       ///< Markdown
    std::vector<Hint> hints;
    std::vector<Question> questions;
    std::vector<Mistake> mistakes;
    std::vector<Witness> witnesses; ///< empty unless they were asked for
    KillSeeds kill_seeds;
};

/// The whole content: problems in curriculum order.
struct Curriculum {
    std::string title;
    std::vector<Problem> problems;
};

} // namespace model
