#pragma once

#include "model/finding_kind.h"
#include "model/gpu.h"
#include "model/justification.h"
#include "model/measurement.h"
#include "model/names.h"
#include "model/problem.h"
#include "model/sample.h"
#include "model/stage.h"
#include "model/traffic.h"
#include "model/verdict.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

/// Everything known after judging: what each report is made from.
namespace model {

/// The first element that differs, and how far the worst one is off.
struct Mismatch {
    std::string what; ///< the tensor's name in the suite, e.g. "out"
    std::vector<std::uint64_t> index;
    std::string expected; ///< printed so that it reads back to the same bits
    std::string got;
    double worst_abs = 0; ///< infinity where a NaN or Inf is involved
    double worst_rel = 0;
    std::uint64_t different = 0; ///< how many elements differ
    std::uint64_t total = 0;
    std::optional<Sample> sample; ///< what a picture is made from: for visible tests alone
};

struct TestResult {
    std::string name;
    Verdict verdict = Verdict::skipped;
    double points = 0;
    double max_points = 0;
    std::chrono::microseconds duration{0};
    Visibility visibility = Visibility::visible;
    Detail detail = Detail::full;
    std::string concept_name; ///< what the learner has not yet understood when it fails
    /// Where in the learner's code it went wrong: of a crash, or of what a sanitizer or a trace found.
    std::optional<Location> place;
    /// First line what happened, then where, then what to do; may hold learner text, unescaped.
    std::string message;
    std::string hint; ///< the manifest's sentence, for a test that failed
    std::optional<Mismatch> mismatch;
    std::string output; ///< what the submission printed during the test, bounded, unescaped
};

/// A mistake recognised in the submission.
struct Diagnosis {
    std::string mistake;
    std::string says;
    std::string hint;
    bool certain = true;            ///< it explains every failing test; else only some
    std::vector<std::string> tests; ///< the failing tests it explains
};

/// What all calls of a function that failed in the tests of boundary values have in common, and no call that
/// passed, and what kind of wrong came of all of them: said where no mistake is recognised.
struct FailingCalls {
    std::string function;
    std::string says; ///< "only if C is 0: a valid call is rejected"
};

enum class Severity { error, warning, note };

/// One message of the compiler or linker, with our plain words before it.
struct Diagnostic {
    std::string file; ///< the learner's file, or empty; of a build, as the learner would type its path
    int line = 0;     ///< 0: not tied to a line
    int column = 0;   ///< in bytes, from 1; 0: not known
    Severity severity = Severity::error;
    std::string message;
    std::string explanation; ///< one plain sentence, or empty
    std::string source;      ///< the learner's line, for the caret; unescaped
    /// The name of the contract's headers that is closest to the one the message calls unknown: itself where
    /// it is known elsewhere, but not at this place; empty where none is near.
    std::string nearest;
};

struct CompileResult {
    bool ok = true;
    std::vector<Diagnostic> diagnostics;
};

/// What AddressSanitizer, UndefinedBehaviourSanitizer or a trace found in the learner's code.
struct SanitizerFinding {
    std::variant<std::string, FindingKind>
        kind;         ///< a sanitizer's own word, "heap-buffer-overflow"; or a kernel's
    std::string file; ///< or empty where no frame is the learner's
    int line = 0;
    std::string test;
    std::string text;   ///< first lines of the sanitizer's report, unescaped
    int other_line = 0; ///< of a data race: where the other thread used the memory; 0 where that is unknown
    bool in_one_warp = false; ///< of a race in a kernel
};

/// The word that reports use for a finding's kind.
std::string kind_name(const SanitizerFinding& finding);

struct SanitizerResult {
    bool ran = false;
    std::string reason; ///< why it did not run, or empty
    std::vector<SanitizerFinding> findings;
    bool races = false;       ///< data races were looked for
    std::string races_reason; ///< why not, in a program that starts threads; else empty
};

enum class IsolationLevel { A, B, C, D, E };

inline constexpr Names<IsolationLevel, 5> isolation_levels{{
    {IsolationLevel::A, "A"},
    {IsolationLevel::B, "B"},
    {IsolationLevel::C, "C"},
    {IsolationLevel::D, "D"},
    {IsolationLevel::E, "E"},
}};

constexpr std::string_view name(IsolationLevel level) {
    return name_of(isolation_levels, level);
}

/// What probes observed, never what was asked for.
struct Isolation {
    IsolationLevel level = IsolationLevel::E;
    std::vector<std::string> observed; ///< "connect: EPERM"
    std::vector<std::string> missing;  ///< "namespaces: unshare answered EPERM"
};

struct Toolchain {
    std::string compiler; ///< "g++ 12.2.0"
    std::string flags;
    std::string linker;
    bool sanitizers = true; ///< the checked build is possible
    std::string nvcc;       ///< CUDA: NVIDIA's compiler, "nvcc 13.0.88"; empty where there is none
    std::string no_nvcc;    ///< CUDA: why that one is not asked, in one sentence; empty where it is
};

struct Timing {
    std::chrono::microseconds compile{0};
    std::chrono::microseconds link{0};
    std::chrono::microseconds run{0};
    std::chrono::microseconds total{0};
    bool cached = false;     ///< compile and link were taken from the cache
    std::uint64_t calls = 0; ///< that workers made, in all builds: the same for the same seed
};

enum class Device { automatic, cpu, cuda, emulated };

/// The collection that a problem was taken from.
struct CollectionName {
    std::string title;
    std::string hash; ///< of all that it consists of
};

struct Judgement {
    std::string engine_version;
    CollectionName collection;
    std::string problem_id;
    std::string problem_title;
    std::string problem_version; ///< digest of all that the problem consists of
    Verdict verdict = Verdict::judge_error;
    std::string summary; ///< one sentence: what happened
    std::string next;    ///< one sentence: what to do
    double points = 0;
    double max_points = 0;
    bool graded = false;         ///< all tests and both builds ran (submit-build); `test` is not graded
    bool thorough = false;       ///< and every call that the suite knows
    Stage stage = Stage::build;  ///< which the run belongs to; a repair belongs to `harden`
    std::string submission_hash; ///< of the files that were judged; empty where they could not be read
    std::string file;            ///< the learner's file as named on the command line
    std::string from;            ///< what --from named; empty for the exercise of the workspace
    std::string call = "engine"; ///< how the learner calls the engine: for `next`
    std::vector<TestResult> tests;
    std::vector<Diagnosis> diagnosis; ///< best first
    std::vector<FailingCalls> failing_calls;
    CompileResult compile;
    SanitizerResult sanitizer;
    std::vector<KernelTraffic> traffic; ///< CUDA: each kernel in the visible test in which it moved most
    Isolation isolation;
    std::uint64_t seed = 0;
    Toolchain toolchain;
    std::string device = "cpu"; ///< "cpu", "emulated", or "cuda": on a GPU, and on the emulator as well
    std::optional<GpuRun> gpu;  ///< where the device is "cuda"
    bool nvcc_compiled = false; ///< CUDA: NVIDIA's compiler takes the file, too
    Timing timing;
    std::optional<Measurement> measured; ///< where it was asked for
    std::vector<Question> questions; ///< as drawn for this attempt; none unless it was graded and accepted
    /// The last answers to questions of this problem, of whatever attempt; nothing where there were none.
    std::optional<Justification> justification;
    std::uint64_t attempt = 0; ///< 0 where nothing was recorded
    std::string started;       ///< UTC, 2026-01-31T12:00:00Z
};

} // namespace model
