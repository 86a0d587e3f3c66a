#pragma once

#include "build/workshop.h"
#include "kit/plan.h"
#include "kit/slots.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace kit {

/// Where kits lie and how they are made, for all problems: opened once, used from several threads. Kits are
/// trusted code, so one is used only if this user or root has written it, and for the key that it was made
/// for.
class Kits {
  public:
    explicit Kits(const build::Workshop& workshop);

    const build::Workshop& workshop() const { return workshop_; }

    std::string key(const Plan& plan) const;
    std::string key_of_mistakes(const Package& package) const;

    /// From the system's folder or the user's; nothing where neither has it.
    std::optional<build::CachedWorker> find(Part part, const std::string& key) const;

    /// Finds it or makes it; of several engines that want it at once, one makes it and the others wait.
    /// `announce` is called before that takes time. Throws as `make` does.
    build::CachedWorker obtain(const Plan& plan, const std::string& key,
                               const std::function<void()>& announce, int cancel_fd) const;

    /// Puts a copy of a part into the system's folder, which is made where it is missing. Throws
    /// model::EnvironmentError where this user may not write there.
    void publish(const build::CachedWorker& made) const;

  private:
    const build::Workshop& workshop_;
    std::filesystem::path system_; ///< empty: is not to be trusted
    build::Cache cache_;
    mutable Inputs inputs_;
    mutable Slots urgent_;
    mutable Slots others_;
};

} // namespace kit
