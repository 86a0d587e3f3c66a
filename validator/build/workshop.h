#pragma once

#include "build/cache.h"
#include "build/layout.h"
#include "build/precompiled.h"
#include "build/toolchain.h"

#include <functional>
#include <mutex>
#include <string_view>
#include <vector>

namespace build {

/// How the builder speaks; each may be empty. Calls come one at a time, from any thread.
struct Voice {
    std::function<void(std::string_view)> progress; ///< something slow begins
    std::function<void(std::string_view)> warn;     ///< something is worse than it should be, with a remedy
    std::function<void(std::string_view)> note;     ///< for a debug log; never source text
};

/// Everything that builds share: opened once, used from several threads.
/// Throws model::EnvironmentError where there is no compiler.
class Workshop {
  public:
    Workshop(Layout layout, Voice voice, const std::filesystem::path& cache_folder = default_cache_folder());
    Workshop(const Workshop&) = delete;
    Workshop& operator=(const Workshop&) = delete;

    const Layout& layout() const { return layout_; }
    const Toolchain& toolchain() const { return toolchain_; }
    const Cache& cache() const { return cache_; }
    const Preludes& preludes() const { return preludes_; }

    void progress(std::string_view text) const { say(voice_.progress, text); }
    void warn(std::string_view text) const { say(voice_.warn, text); }
    void note(std::string_view text) const { say(voice_.note, text); }

  private:
    static void say(const std::function<void(std::string_view)>& voice, std::string_view text) {
        if (voice) voice(text);
    }
    std::function<void(std::string_view)> one_at_a_time(std::function<void(std::string_view)> say);

    Layout layout_;
    std::mutex speaking_;
    Voice voice_;
    Cache cache_;
    Toolchain toolchain_;
    Preludes preludes_;
};

/// What a compiler that has read a learner's text may not see, even where it lies among what it may.
std::vector<std::filesystem::path> hidden_from_compilers(const Workshop& workshop);

} // namespace build
