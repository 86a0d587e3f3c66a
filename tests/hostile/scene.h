#pragma once

#include "model/submission.h"
#include "system/fd.h"

#include <filesystem>
#include <string>

namespace hostile {

/// What the programs attack, and a place for it that goes away: a secret file, a listening port, the suite.
class Scene {
  public:
    /// `place` is made where needed; its path is part of the programs' text.
    Scene(const std::filesystem::path& place, const std::filesystem::path& programs,
          const std::filesystem::path& suite, const std::filesystem::path& driver);
    ~Scene();
    Scene(const Scene&) = delete;
    Scene& operator=(const Scene&) = delete;

    /// The program of a row as a submission of one problem file, with the shared headers laid in.
    model::Submission submission(const std::string& name) const;
    /// The same as one text, for a compiler.
    std::string text(const std::filesystem::path& file) const;

    const std::string& secret() const { return secret_; } ///< a word that nobody may get to see
    bool was_connected() const;                           ///< somebody reached the port since the last time

  private:
    std::filesystem::path place_, programs_, suite_, driver_;
    std::string secret_;
    int port_;
    sys::Fd listener_;
};

} // namespace hostile
