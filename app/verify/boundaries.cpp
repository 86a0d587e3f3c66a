#include "app/verify/boundaries.h"

#include "build/compile.h"
#include "judge.h"
#include "model/errors.h"
#include "supervisor/driver.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <map>
#include <variant>

namespace verify {
namespace {

using events::Covered;

constexpr std::chrono::minutes max_time{10}; // for the whole suite, also where the machine has other work

std::string name_of(const Covered& row) {
    return row.parameter.empty() ? row.circumstance : row.parameter + ": " + row.circumstance;
}

bool is_gap(const Covered& row) {
    return !row.reached && row.left_out.empty();
}

} // namespace

Boundaries boundaries(const build::Workshop& workshop, const Proof& proof, std::uint64_t seed,
                      int cancel_fd) {
    const build::Built built =
        build::build_worker(workshop, proof.problem, proof.kit->table(), reference_of(proof.problem),
                            build::judged_variant(proof.problem.language), cancel_fd);
    if (built.interrupted) throw judge::Interrupted{};
    if (!built.ok) return {}; // the trial of the reference says so
    events::Request request;
    request.seed = seed;
    request.coverage = true;
    request.thorough = true;
    request.emulated = proof.problem.language == model::Language::cuda;
    request.limits = proof.problem.limits;
    const events::DriverRun run = supervisor::run_driver({.driver = "driver of " + proof.problem.id,
                                                          .driver_fd = proof.kit->driver().fd.get(),
                                                          .worker_fd = built.worker.fd.get(),
                                                          .request = std::move(request),
                                                          .cancel_fd = cancel_fd,
                                                          .patience = max_time});
    if (run.interrupted) throw judge::Interrupted{};
    if (!run.complete)
        throw model::EnvironmentError("cannot tell the boundary coverage of " + proof.problem.id + ": " +
                                      run.trouble + "; try again");
    Boundaries result;
    for (const events::Event& event : run.events) {
        if (const auto* row = std::get_if<Covered>(&event)) result.rows.push_back(*row);
        if (const auto* test = std::get_if<events::CaseEnded>(&event); test && !test->findings.empty())
            result.failed.push_back(test->name);
        const auto* cases = std::get_if<events::CasesEvent>(&event);
        if (cases == nullptr) continue;
        for (const std::string& name : cases->names)
            if (std::ranges::find(proof.problem.tests, name, &model::TestSpec::name) ==
                proof.problem.tests.end())
                result.unlisted.push_back(name);
    }
    return result;
}

std::vector<std::string> boundary_gaps(const Boundaries& boundaries) {
    std::vector<std::string> gaps;
    for (const std::string& name : boundaries.failed)
        gaps.push_back(fmt::format("in a thorough run the test '{}' refuses the reference", name));
    for (const std::string& name : boundaries.unlisted)
        gaps.push_back(
            fmt::format("the test '{}' of the suite is not in problem.json, so it never runs", name));
    for (const Covered& row : boundaries.rows)
        if (is_gap(row))
            gaps.push_back(fmt::format("no call of {} was made with {}", row.function, name_of(row)));
    return gaps;
}

std::string boundary_table(const std::vector<Covered>& rows) {
    struct Count {
        int parameters = 0, parameters_reached = 0, pairs = 0, pairs_reached = 0;
    };
    std::map<std::string, Count> functions;
    std::string left_out;
    for (const Covered& row : rows) {
        Count& count = functions[row.function];
        if (!row.left_out.empty()) {
            left_out += fmt::format("    {} without {}: {}\n", row.function, name_of(row), row.left_out);
            continue;
        }
        const bool pair = row.parameter.empty() || row.circumstance == "paired";
        (pair ? count.pairs : count.parameters) += 1;
        (pair ? count.pairs_reached : count.parameters_reached) += row.reached ? 1 : 0;
    }
    std::string text;
    for (const auto& [function, count] : functions)
        text += fmt::format("    {}: {} of {} by parameter, {} of {} by pairs\n", function,
                            count.parameters_reached, count.parameters, count.pairs_reached, count.pairs);
    if (text.empty()) return "  boundary coverage: none, no call is made under the adversities\n";
    return "  boundary coverage\n" + text + left_out;
}

} // namespace verify
