#pragma once

#include "app/context.h"
#include "app/teaching/circumstances.h"
#include "build/workshop.h"
#include "coursework/assignment.h"
#include "judge.h"
#include "kit/kit.h"
#include "kit/kits.h"
#include "model/judgement.h"
#include "model/submission.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

/// Grading a class: from what was handed in to a gradebook.
namespace teaching {

/// Judges submissions of a class. Isolation is observed and kits are made once; `judge` is called from
/// several threads. What was judged leaves no trace in anybody's progress.
class ClassJudge {
  public:
    /// Throws model::EnvironmentError where isolation is weaker than the floor, before anything is built.
    ClassJudge(const app::Context& context, const build::Workshop& workshop,
               std::vector<model::Problem> problems, int cancel_fd);

    const std::vector<model::Problem>& problems() const { return problems_; }

    /// Digest of all of a problem that a judgement depends on: suite, reference, contract, points, limits.
    const std::string& package(const std::string& problem) const { return prepared_.at(problem).package; }

    bool is_cuda(const std::string& problem) const {
        return prepared_.at(problem).problem->language == model::Language::cuda;
    }

    /// Digest of all that a judgement depends on. `hash` is that of the files.
    std::string key(const Circumstances& how, const std::string& hash) const;

    /// The JSON report. Of judgements on a GPU one runs at a time. Throws as judge::judge does, and
    /// model::EnvironmentError if there has to be a GPU and is none.
    std::string judge(const Circumstances& how, std::vector<model::SourceFile> files) const;

  private:
    struct Prepared {
        const model::Problem* problem = nullptr;
        std::unique_ptr<kit::Kit> kit;
        std::string package;
        std::string version;
        model::CollectionName collection;
    };
    Prepared prepare(const app::Context& context, const model::Problem& problem) const;

    const build::Workshop& workshop_;
    kit::Kits kits_;
    std::string engine_version_;
    std::vector<model::Problem> problems_;
    model::Isolation isolation_;
    int cancel_fd_;
    std::map<std::string, Prepared> prepared_;
    mutable std::mutex gpu_in_use_;
    mutable std::optional<judge::OnGpu> gpu_; ///< once it was needed
};

} // namespace teaching
