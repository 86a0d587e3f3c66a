#include "app/verify/hunt.h"

#include "catalogue/source.h"
#include "judge.h"
#include "supervisor/driver.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace verify {
namespace {

using Clock = std::chrono::steady_clock;

/// So many mutants share the reading of headers, and still compile within the limits of a compiler run.
constexpr std::size_t max_in_part = 450;

/// A mutant that loops for ever costs this much. Calls of a suite take milliseconds.
constexpr std::chrono::milliseconds patience{300};

std::chrono::microseconds since(Clock::time_point start) {
    return std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
}

events::Request request_for(const model::Problem& problem, const std::vector<std::size_t>& which,
                            std::uint64_t seed) {
    events::Request request;
    request.seed = seed;
    request.thorough = true;
    request.limits = problem.limits;
    request.limits.wall = std::min(request.limits.wall, patience);
    for (const model::TestSpec& test : problem.tests)
        request.tests.push_back(test.name);
    request.hunt.emplace_back(unchanged);
    for (const std::size_t k : which)
        request.hunt.push_back(std::to_string(k));
    return request;
}

Hunt::Fate fate_of(const events::MutantEnded& ended) {
    if (ended.killed_by.empty()) return Hunt::Fate::survived;
    return ended.timed_out ? Hunt::Fate::timed_out : Hunt::Fate::killed;
}

/// Runs a program of mutants; returns what went wrong, or nothing.
std::string run_program(const model::Problem& problem, const kit::Kit& kit, Hunt& hunt,
                        const MutantProgram& program, std::uint64_t seed, int cancel_fd) {
    const events::DriverRun run =
        supervisor::run_driver({.driver = "driver of " + problem.id,
                                .driver_fd = kit.driver().fd.get(),
                                .worker_fd = program.worker.fd.get(),
                                .request = request_for(problem, program.compiled, seed),
                                .cancel_fd = cancel_fd,
                                .patience = std::chrono::minutes(5)});
    if (run.interrupted) throw judge::Interrupted{};
    std::map<std::string, events::MutantEnded> ended;
    for (const events::Event& event : run.events)
        if (const auto* mutant = std::get_if<events::MutantEnded>(&event)) ended[mutant->name] = *mutant;
    if (const auto found = ended.find(unchanged); found != ended.end() && !found->second.killed_by.empty())
        return fmt::format("the unchanged reference fails the test '{}'", found->second.killed_by);
    for (const std::size_t k : program.compiled)
        if (const auto found = ended.find(std::to_string(k)); found != ended.end())
            hunt.fates[k] = fate_of(found->second);
    if (!run.complete) return fmt::format("after {} mutants: {}", ended.size(), run.trouble);
    return {};
}

/// How a survivor is named, so that a mark can be written from it.
std::string place(const Hunt& hunt, const Candidate& candidate, const model::Problem& problem) {
    const std::string file = "reference/" + problem.id + "/" + hunt.files[candidate.file];
    return fmt::format("{}:{}: {}\n       {}\n    -> {}", file, candidate.mutant.line,
                       candidate.mutant.mutation, candidate.mutant.original, candidate.mutant.mutated);
}

} // namespace

Hunt plan_hunt(const model::Problem& problem, const std::filesystem::path& schemas) {
    Hunt hunt;
    const std::filesystem::path root = problem.folder.parent_path().parent_path();
    for (std::size_t i = 0; i < problem.files.size(); ++i) {
        hunt.files.push_back(problem.host_reference[i].filename().string());
        hunt.sources.push_back(catalogue::read_source(problem.host_reference[i], root).text);
    }
    hunt.all = candidates(hunt.sources);
    hunt.fates.assign(hunt.all.size(), Hunt::Fate::not_compiled);
    hunt.marks = read_equivalents(problem.folder, schemas, hunt.files.front());
    return hunt;
}

std::vector<HuntPart> parts(const Hunt& hunt) {
    const std::size_t count = (hunt.all.size() + max_in_part - 1) / max_in_part;
    std::vector<HuntPart> list(count);
    for (std::size_t k = 0; k < hunt.all.size(); ++k)
        list[k * count / hunt.all.size()].which.push_back(k);
    return list;
}

void run_part(const build::Workshop& workshop, const model::Problem& problem, const kit::Kit& kit, Hunt& hunt,
              HuntPart& part, std::uint64_t seed, int cancel_fd) {
    std::vector<std::vector<std::size_t>> waiting{part.which};
    while (!waiting.empty() && part.trouble.empty()) {
        const std::vector<std::size_t> which = std::move(waiting.back());
        waiting.pop_back();
        const auto start = Clock::now();
        const auto program = build_mutants(workshop, problem, hunt.sources, hunt.all, which, cancel_fd);
        part.build += since(start);
        if (program) {
            const auto running = Clock::now();
            part.trouble = run_program(problem, kit, hunt, *program, seed, cancel_fd);
            part.run += since(running);
        } else if (which.size() > 1) { // together they do not compile, and nobody can tell because of which
            const auto middle = which.begin() + static_cast<std::ptrdiff_t>(which.size() / 2);
            waiting.emplace_back(which.begin(), middle);
            waiting.emplace_back(middle, which.end());
        }
    }
}

std::vector<std::string> gaps(const Hunt& hunt, const model::Problem& problem) {
    std::vector<std::string> list;
    const std::vector<std::size_t> meant = match(hunt.marks, hunt.files, hunt.all);
    for (std::size_t k = 0; k < hunt.all.size(); ++k)
        if (hunt.fates[k] == Hunt::Fate::survived && std::ranges::find(meant, k) == meant.end())
            list.push_back("survivor " + place(hunt, hunt.all[k], problem));
    for (std::size_t i = 0; i < hunt.marks.size(); ++i) {
        const Equivalent& mark = hunt.marks[i];
        const bool exists = meant[i] < hunt.all.size();
        // On a busy machine an equivalent mutant may run out of time, too.
        if (exists &&
            (hunt.fates[meant[i]] == Hunt::Fate::survived || hunt.fates[meant[i]] == Hunt::Fate::timed_out))
            continue;
        list.push_back(fmt::format("problems/{}/equivalent.json: mark {} is stale: {} ({}: {})", problem.id,
                                   i + 1, exists ? "a test kills this mutant" : "there is no such mutant",
                                   mark.mutation, mark.original));
    }
    return list;
}

std::string score(const Hunt& hunt) {
    const auto killed = std::ranges::count(hunt.fates, Hunt::Fate::killed) +
                        std::ranges::count(hunt.fates, Hunt::Fate::timed_out);
    const auto survived = std::ranges::count(hunt.fates, Hunt::Fate::survived);
    std::string text = fmt::format("mutation score {} of {} killed", killed, killed + survived);
    if (!hunt.marks.empty()) text += fmt::format(", {} marked equivalent", hunt.marks.size());
    return text;
}

} // namespace verify
