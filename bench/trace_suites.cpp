// The driver's whole run of a CUDA problem's suite: with the worker that is traced and with the one that is
// not, by turns.
#include "build/compile.h"
#include "build/file.h"
#include "catalogue/catalogue.h"
#include "isolation/observe.h"
#include "kit/kit.h"
#include "supervisor/driver.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <vector>

namespace {

namespace fs = std::filesystem;
using build::Variant;

/// Both builds of a submission, and how the judge would have them run.
class Pair {
  public:
    Pair(const build::Workshop& workshop, const model::Problem& problem, const kit::Kit& kit,
         const fs::path& file, model::IsolationLevel isolation)
        : problem_(problem), kit_(kit), isolation_(isolation) {
        const model::Submission submission{.shown_as = file.string(),
                                           .files = {{problem.files.front(), build::read_file(file).value()}},
                                           .from = file.string()};
        for (const Variant variant : {Variant::traced, Variant::emulated}) {
            builds_.push_back(build::build_worker(workshop, problem, kit.table(), submission, variant));
            if (!builds_.back().ok) throw std::runtime_error(file.string() + " does not compile");
        }
    }

    double traced() const { return milliseconds(builds_[0]); }
    double plain() const { return milliseconds(builds_[1]); }

  private:
    double milliseconds(const build::Built& built) const {
        events::Request request;
        request.seed = 1;
        request.emulated = true;
        request.limits = build::limits_of(problem_.limits, Variant::traced);
        request.without_large = true; // the judge runs these in the plain build alone
        const auto begin = std::chrono::steady_clock::now();
        const events::DriverRun run = supervisor::run_driver({.driver = "driver",
                                                              .driver_fd = kit_.driver().fd.get(),
                                                              .worker_fd = built.worker.fd.get(),
                                                              .request = request,
                                                              .isolation = isolation_});
        const std::chrono::duration<double, std::milli> taken = std::chrono::steady_clock::now() - begin;
        if (!run.complete) throw std::runtime_error(run.trouble);
        return taken.count();
    }

    const model::Problem& problem_;
    const kit::Kit& kit_;
    model::IsolationLevel isolation_;
    std::vector<build::Built> builds_;
};

/// A line for each round: the sums over all accepted variants.
void measure(const build::Workshop& workshop, const std::string& id, int rounds) {
    const build::Layout& layout = workshop.layout();
    const model::Problem problem = catalogue::load_problem(
        {layout.problems, layout.exercises, layout.reference, layout.starters, layout.schemas}, id);
    const model::IsolationLevel isolation = isolation::observe(layout.canary).level;
    const kit::Kits kits(workshop);
    const kit::Kit kit(kits, problem, -1);
    std::vector<Pair> pairs;
    for (const fs::directory_entry& entry : fs::directory_iterator(problem.folder / "accepted"))
        pairs.emplace_back(workshop, problem, kit, entry.path(), isolation);
    for (int round = -1; round < rounds; ++round) {
        double traced = 0, plain = 0;
        for (const Pair& pair : pairs) {
            traced += pair.traced();
            plain += pair.plain();
        }
        if (round >= 0) std::printf("[%.4f, %.4f]\n", traced, plain);
    }
}

} // namespace

int main(int count, char** values) {
    if (count < 5) {
        std::fputs("usage: bench_trace_suites LAYOUT CACHE ROUNDS PROBLEM\n", stderr);
        return 2;
    }
    try {
        const build::Workshop workshop(build::read_layout(values[1]), {}, values[2]);
        measure(workshop, values[4], std::atoi(values[3]));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "bench: %s\n", error.what());
        return 1;
    }
    return 0;
}
