#include "court.h"

#include "build/file.h"
#include "catalogue/catalogue.h"
#include "isolation/observe.h"
#include "judge.h"

namespace hostile {
namespace {

model::Problem small_limits(model::Problem problem) {
    problem.limits.memory_mib = 64;
    return problem;
}

} // namespace

Court::Court(build::Layout layout, const std::filesystem::path& cache)
    : layout_(std::move(layout)),
      problem_(small_limits(catalogue::load_problem(
          {layout_.problems, layout_.exercises, layout_.reference, layout_.starters, layout_.schemas},
          "token-lookup"))),
      workshop_(layout_, {}, cache), isolation_(isolation::observe(layout_.canary)) {}

model::Judgement Court::judge(const model::Submission& submission, bool graded, std::size_t tests,
                              std::chrono::milliseconds wall) const {
    model::Problem problem = problem_;
    problem.limits.wall = wall;
    if (tests < problem.tests.size()) problem.tests.resize(tests);
    constexpr std::uint64_t seed = 20260131;
    return judge::judge(workshop_, {problem, submission, graded, seed, judge::known(isolation_), -1});
}

model::Submission Court::reference() const {
    return {"reference", {{problem_.files.front(), build::read_file(problem_.reference.front()).value()}}};
}

} // namespace hostile
