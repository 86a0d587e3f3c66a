#include "app/teaching/runs.h"

#include "build/digest.h"

#include <map>

namespace teaching {
namespace {

std::uint64_t seed_for(const std::string& student, const coursework::Assignment& assignment,
                       std::uint64_t drawn) {
    const std::uint64_t common = assignment.seed.value_or(drawn);
    if (assignment.seeding == coursework::Seeding::common) return common;
    const build::Checksum sum =
        build::Digest().add("engine.seed/1").add(std::to_string(common)).add(student).checksum();
    std::uint64_t seed = 0;
    for (std::size_t i = 0; i < sizeof seed; ++i)
        seed = seed << 8 | sum.at(i);
    return seed;
}

} // namespace

Circumstances circumstances_of(const gradebook::Needed& needed, const coursework::Assignment& assignment,
                               std::uint64_t drawn, const ClassJudge& judge) {
    const std::string& problem = needed.work->problem;
    return {problem, seed_for(needed.attempt->student, assignment, drawn), assignment.thorough,
            assignment.on_gpu && judge.is_cuda(problem)};
}

Runs plan_runs(const std::vector<gradebook::Needed>& works, const coursework::Assignment& assignment,
               std::uint64_t drawn, const ClassJudge& judge, const gradebook::Gradebook& book) {
    Runs runs;
    std::map<std::string, std::size_t> by_key;
    for (const auto& [attempt, work] : works) {
        const Circumstances how = circumstances_of({attempt, work}, assignment, drawn, judge);
        const gradebook::WorkId id{attempt->id, work->problem};
        std::string key = judge.key(how, work->hash);
        if (const auto known = book.find(key)) {
            runs.known.emplace_back(id, *known);
            continue;
        }
        const auto [at, is_new] = by_key.emplace(key, runs.pieces.size());
        if (is_new)
            runs.pieces.push_back({how, work->hash, std::move(key), judge.package(work->problem), {}});
        runs.pieces[at->second].works.push_back(id);
    }
    return runs;
}

} // namespace teaching
