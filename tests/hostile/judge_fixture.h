#pragma once

#include "build/workshop.h"
#include "kit/kit.h"
#include "model/judgement.h"
#include "model/problem.h"
#include "model/submission.h"

#include <chrono>
#include <filesystem>
#include <memory>

namespace hostile {

/// The judge as the engine itself puts it together, with one problem whose limits are small.
class JudgeFixture {
  public:
    /// Throws model::EnvironmentError, model::ContentError.
    JudgeFixture(build::Layout layout, const std::filesystem::path& cache);

    /// From here on with this driver in the place of the problem's.
    void replace_driver(const std::filesystem::path& program);

    /// What a call and a worker may take: long where that is not what is tested.
    struct Times {
        std::chrono::milliseconds wall = std::chrono::seconds(10);
        std::chrono::seconds cpu = std::chrono::seconds(10);
    };

    model::Judgement judge(const model::Submission& submission, bool graded, std::size_t tests,
                           const Times& times) const;
    model::Judgement judge(const model::Submission& submission, bool graded) const {
        return judge(submission, graded, 100, Times{});
    }
    model::Submission reference() const;

    bool sanitizers() const { return workshop_.toolchain().sanitizers; }
    const build::Layout& layout() const { return layout_; }
    const model::Problem& problem() const { return problem_; }
    const kit::Kit& kit() const { return *kit_; }
    const model::Isolation& isolation() const { return isolation_; }
    std::filesystem::path cache() const { return workshop_.cache().folder(); }

  private:
    build::Layout layout_;
    model::Problem problem_;
    build::Workshop workshop_;
    kit::Kits kits_;
    std::unique_ptr<kit::Kit> kit_;
    model::Isolation isolation_;
};

} // namespace hostile
