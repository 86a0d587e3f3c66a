#include "app/progress_of_judging.h"

#include <chrono>
#include <string>

namespace app {

using namespace std::chrono_literals;

ProgressOfJudging::ProgressOfJudging(const build::Workshop& workshop, bool unicode)
    : workshop_(workshop), unicode_(unicode), thread_([this] { show(); }) {}

ProgressOfJudging::~ProgressOfJudging() {
    {
        const std::lock_guard lock(mutex_);
        over_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void ProgressOfJudging::heard(const judge::Heard& heard) {
    const std::lock_guard lock(mutex_);
    how_far_.heard(heard);
}

void ProgressOfJudging::show() {
    std::unique_lock lock(mutex_);
    for (auto pause = 300ms; !changed_.wait_for(lock, pause, [this] { return over_; }); pause = 100ms) {
        const std::string line = how_far_.line(unicode_);
        if (line.empty()) continue; // what is being prepared stays on the screen
        lock.unlock();
        workshop_.progress(line);
        lock.lock();
    }
}

} // namespace app
