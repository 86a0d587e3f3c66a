#pragma once

#include "app/how_far.h"
#include "build/workshop.h"

#include <condition_variable>
#include <mutex>
#include <thread>

namespace app {

/// Shows on a terminal how far a judgement has come while somebody waits: from a third of a second on, so
/// that a quick verdict comes without it, and ten times a second at most. Ends with the object.
class ProgressOfJudging {
  public:
    ProgressOfJudging(const build::Workshop& workshop, bool unicode);
    ~ProgressOfJudging();
    ProgressOfJudging(const ProgressOfJudging&) = delete;
    ProgressOfJudging& operator=(const ProgressOfJudging&) = delete;

    void heard(const judge::Heard& heard);

  private:
    void show();

    const build::Workshop& workshop_;
    const bool unicode_;
    std::mutex mutex_;
    std::condition_variable changed_;
    bool over_ = false;
    HowFar how_far_;
    std::thread thread_;
};

} // namespace app
