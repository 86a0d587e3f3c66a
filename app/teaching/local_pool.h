#pragma once

#include "app/teaching/class_judge.h"
#include "app/teaching/executor.h"

namespace teaching {

/// Judges on this machine, `jobs` pieces at a time.
class LocalPool : public Executor {
  public:
    LocalPool(const ClassJudge& judge, unsigned jobs) : judge_(judge), jobs_(jobs) {}

    void run(const std::vector<Piece>& pieces, const Files& files, const Collect& collect) override;

  private:
    const ClassJudge& judge_;
    unsigned jobs_;
};

} // namespace teaching
