#include "judge_fixture.h"

#include "build/file.h"
#include "catalogue/catalogue.h"
#include "isolation/observe.h"
#include "judge.h"

#include <fcntl.h>

namespace hostile {
namespace {

/// Without the tests of every size and circumstance, which take most of the time: they make the same calls of
/// the same function as the others, so an attack finds nothing new there.
model::Problem small(model::Problem problem) {
    std::erase_if(problem.tests,
                  [](const model::TestSpec& test) { return test.name.starts_with("lookup "); });
    problem.limits.memory_mib = 64;
    return problem;
}

} // namespace

JudgeFixture::JudgeFixture(build::Layout layout, const std::filesystem::path& cache)
    : layout_(std::move(layout)),
      problem_(small(catalogue::load_problem(
          {layout_.problems, layout_.exercises, layout_.reference, layout_.starters, layout_.schemas},
          "token-lookup"))),
      workshop_(layout_, {}, cache), kits_(workshop_), kit_(std::make_unique<kit::Kit>(kits_, problem_, -1)),
      isolation_(isolation::observe(layout_.canary)) {
    kit_->wait(); // nothing of it runs or is opened later, when leftovers are looked for
}

void JudgeFixture::replace_driver(const std::filesystem::path& program) {
    const auto open_file = [](const std::filesystem::path& path) {
        return build::CachedWorker{path, sys::Fd(open(path.c_str(), O_RDONLY | O_CLOEXEC)), {}};
    };
    kit_ = std::make_unique<kit::Kit>(kit_->table(), open_file(program), open_file(kit_->mistakes().path));
}

model::Judgement JudgeFixture::judge(const model::Submission& submission, bool graded, std::size_t tests,
                                     const Times& times) const {
    model::Problem problem = problem_;
    problem.limits.wall = times.wall;
    problem.limits.cpu = times.cpu;
    if (tests < problem.tests.size()) problem.tests.resize(tests);
    constexpr std::uint64_t seed = 20260131;
    return judge::judge(workshop_, {problem, *kit_, submission, graded, seed, judge::known(isolation_), -1});
}

model::Submission JudgeFixture::reference() const {
    return {"reference", {{problem_.files.front(), build::read_file(problem_.reference.front()).value()}}};
}

} // namespace hostile
