#pragma once

#include "system/confinement.h"
#include "system/process.h"

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace hostile {

/// A folder that everybody may use, and that goes away with the object.
class Folder {
  public:
    Folder();
    ~Folder();
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// How the engine's program itself is started: in a folder that is its learner's, so that what it records
/// stays there.
struct EngineRun {
    std::filesystem::path folder;
    std::filesystem::path cache;
    std::vector<sys::ResourceLimit> limits; ///< what it has to make do with
    bool unprivileged =
        false;           ///< only as root: as a user that nobody else is, whose processes are this run's
    std::string ceiling; ///< the strongest level of isolation it tries for; empty: any
    std::string disk;    ///< only as root: the folder becomes a disk of this size, "64k"
};

/// Runs `engine ARGUMENTS…`.
sys::RunOutcome run_engine(const EngineRun& how, const std::vector<std::string>& arguments);

/// The JSON report among what a run said; empty where there is none.
nlohmann::json report_of(const sys::RunOutcome& outcome);

} // namespace hostile
