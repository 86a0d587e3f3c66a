// Judges every program of the battery the way the engine does, and looks around after each: is the verdict
// what the table says, does the next honest submission get its points, is anything left behind?
//
//   hostile_test LAYOUT CACHE [NAME...]     exit 0: all as it should be; 1: not; 77: nothing could be run,
//   and why
#include "battery.h"
#include "isolation/observe.h"
#include "judge_fixture.h"
#include "leftovers.h"
#include "model/errors.h"
#include "own_group.h"
#include "scene.h"
#include "verdicts.h"

#include "subject/protocol.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <fmt/format.h>
#include <set>
#include <unistd.h>

namespace hostile {
namespace {

namespace fs = std::filesystem;

// What programs/arena.h believes.
static_assert(offsetof(subject::Control, worker_sleeps) == 4 && offsetof(subject::Control, requests) == 64 &&
              offsetof(subject::Control, replies) == 128 && offsetof(subject::Control, reply) == 136 &&
              offsetof(subject::Control, reply_bytes) == 140 &&
              offsetof(subject::Control, request_message) == 192 &&
              offsetof(subject::Control, reply_message) == 192 + subject::message_bytes &&
              subject::ready_mark == 0x656e6731);

struct Tally {
    int rows = 0, wrong = 0, inflated = 0, secrets = 0, leftovers = 0, skipped = 0, compiler = 0;
};

constexpr const char* ceiling = "ENGINE_ISOLATION_CEILING";

/// The strongest level that this user has on this machine.
model::IsolationLevel strongest_level(const build::Layout& layout) {
    const char* wanted = std::getenv(ceiling);
    const std::string kept = wanted == nullptr ? "" : wanted;
    unsetenv(ceiling);
    const model::IsolationLevel level = isolation::observe(layout.canary).level;
    if (wanted != nullptr) setenv(ceiling, kept.c_str(), 1);
    return level;
}

/// Why a row says nothing here, or empty.
std::string not_here(const Row& row, const JudgeFixture& fixture) {
    const auto level = fixture.isolation().level;
    if (row.terms.own_user && level == model::IsolationLevel::C && geteuid() != 0)
        return "at level C an ordinary user's workers share that user's count of threads, which is not "
               "bounded";
    if (row.terms.graded && !fixture.sanitizers()) return "the compiler has no sanitizers";
    return "";
}

std::chrono::milliseconds deadline(const Row& row) {
    const bool waits = row.terms.waits || row.verdict == model::Verdict::time_limit_exceeded;
    return waits ? std::chrono::seconds(1) : std::chrono::seconds(10);
}

class Pass {
  public:
    Pass(const JudgeFixture& fixture, const Scene& scene, const OwnGroup& group)
        : fixture_(fixture), scene_(scene), strongest_(strongest_level(fixture.layout())),
          private_(group.folders()) {
        private_.push_back(fixture.cache());
        private_.push_back(fs::temp_directory_path());
    }

    void run(const Row& row) {
        // The compiler is confined alike at all levels: once a user is enough for what never gets past it.
        if (row.verdict == model::Verdict::compile_error && fixture_.isolation().level != strongest_) {
            ++tally_.compiler;
            return;
        }
        if (const std::string why = not_here(row, fixture_); !why.empty()) {
            std::printf("skipped %s: %s\n", row.file, why.c_str());
            ++tally_.skipped;
            return;
        }
        ++tally_.rows;
        const Surroundings before = Surroundings::look(private_);
        const model::Judgement judgement =
            fixture_.judge(scene_.submission(row.file), row.terms.graded, row.terms.tests,
                           {deadline(row), std::chrono::seconds(row.terms.spends ? 1 : 10)});
        const auto shown = leaks(judgement, scene_.secret());
        tally_.inflated += inflated(row, judgement);
        tally_.secrets +=
            std::ranges::any_of(shown, [](const std::string& what) { return what.ends_with("the secret"); });

        bool as_expected = report(row, held_against(row, judgement));
        as_expected &= report(row, shown);
        as_expected &= !scene_.was_connected() || report(row, {"somebody reached the port"});
        bool tidy = report(row, running_children());
        tidy &= report(row, before.left_since());
        as_expected &= report(row, honest_is_judged_wrongly(row.terms.graded));
        tally_.wrong += !as_expected;
        tally_.leftovers += !tidy;
    }

    bool summary() const {
        const int right = tally_.rows - tally_.wrong;
        std::printf(
            "hostile: %d of %d rows as the table says, %d grades inflated, %d secrets read, "
            "%d leftovers, %d skipped, %d of the compiler at the strongest level only; level %s, %s\n",
            right, tally_.rows, tally_.inflated, tally_.secrets, tally_.leftovers, tally_.skipped,
            tally_.compiler, name(fixture_.isolation().level).data(),
            geteuid() == 0 ? "root" : "ordinary user");
        return tally_.wrong + tally_.inflated + tally_.secrets + tally_.leftovers == 0 && tally_.rows > 0;
    }

  private:
    /// What the honest submission, judged after a row, did not get; empty where it got all its points.
    std::vector<std::string> honest_is_judged_wrongly(bool graded) const {
        const model::Judgement next = fixture_.judge(fixture_.reference(), graded);
        if (next.verdict == model::Verdict::accepted && next.points == next.max_points) return {};
        return {fmt::format("the honest submission after it: {}, {} of {} points", name(next.verdict),
                            next.points, next.max_points)};
    }

    /// Says what was found; true where there was nothing.
    static bool report(const Row& row, const std::vector<std::string>& found) {
        for (const std::string& what : found)
            std::printf("FAILED  %s: %s\n", row.file, what.c_str());
        return found.empty();
    }

    const JudgeFixture& fixture_;
    const Scene& scene_;
    model::IsolationLevel strongest_;
    std::vector<fs::path> private_;
    Tally tally_;
};

/// The level this pass is meant for, by the environment, is not to be had here.
bool level_missing(const JudgeFixture& fixture) {
    const char* wanted = std::getenv(ceiling);
    const model::IsolationLevel level = fixture.isolation().level;
    const std::string observed(name(level));
    if (level > model::IsolationLevel::C) {
        std::printf("skipped: level %s was observed, below which nothing is graded\n", observed.c_str());
        return true;
    }
    if (wanted == nullptr || wanted == observed) return false;
    std::printf("skipped: level %s is not available here; observed is %s\n", wanted, observed.c_str());
    for (const std::string& why : fixture.isolation().missing)
        std::printf("  %s\n", why.c_str());
    return true;
}

int run(const fs::path& layout, const fs::path& cache, const std::set<std::string>& only) {
    adopt_orphans();
    const OwnGroup group;
    // Nobody else leaves anything there, so whatever lies there afterwards is ours.
    const fs::path scratch = cache / "tmp";
    fs::create_directories(scratch);
    setenv("TMPDIR", scratch.c_str(), 1);
    const JudgeFixture fixture(build::read_layout(layout), cache / "engine");
    if (level_missing(fixture)) return 77;
    const Scene scene(cache / "scene", fs::path(ENGINE_SOURCE_DIR) / "tests/hostile/programs",
                      fixture.problem().folder / "suite.cpp", fixture.kit().driver().path);
    Pass pass(fixture, scene, group);
    for (const Row& row : battery()) {
        if (!only.empty() && !only.contains(row.file)) continue;
        const auto start = std::chrono::steady_clock::now();
        pass.run(row);
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        if (!only.empty() || took.count() > 2) std::printf("%s took %.2f s\n", row.file, took.count());
        std::fflush(stdout);
    }
    return pass.summary() ? 0 : 1;
}

} // namespace
} // namespace hostile

int main(int count, char** values) {
    if (count < 3) {
        std::fputs("usage: hostile_test LAYOUT CACHE [NAME...]\n", stderr);
        return 2;
    }
    try {
        return hostile::run(values[1], values[2], {values + 3, values + count});
    } catch (const std::exception& error) {
        std::fprintf(stderr, "hostile_test: %s\n", error.what());
        return 1;
    }
}
