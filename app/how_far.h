#pragma once

#include "judge.h"
#include "model/check.h"

#include <array>
#include <string>

namespace app {

/// How far the programs of a judgement have come, in words: "compiled · 12 of 29 tests · checked build 40 %".
class HowFar {
  public:
    void heard(const judge::Heard& heard);
    /// Empty before anything has been built. `unicode`: whether the dot between the parts is one.
    std::string line(bool unicode) const;

  private:
    struct Program {
        std::size_t ended = 0;
        std::size_t tests = 0; ///< 0: it is being built, if it is at all
    };
    std::array<Program, model::checks.size()> programs_{};
};

} // namespace app
