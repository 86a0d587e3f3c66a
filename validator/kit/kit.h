#pragma once

#include "build/cache.h"
#include "build/call_table.h"
#include "build/gpu.h"
#include "kit/kits.h"
#include "model/problem.h"
#include "system/cancellation.h"

#include <future>
#include <memory>
#include <mutex>
#include <optional>

namespace kit {

/// What one problem is judged with. Its parts are looked for, and made where they are missing, while the
/// submission is compiled; each is waited for when it is needed. What is not finished when this object goes
/// is ended and leaves nothing behind.
class Kit {
  public:
    /// Begins; `kits` has to outlive this. Throws model::ContentError where a file of the package is missing.
    Kit(const Kits& kits, const model::Problem& problem, int cancel_fd);
    /// One whose parts are there already.
    Kit(build::CallTable table, build::CachedWorker driver, build::CachedWorker mistakes);
    Kit(const Kit&) = delete;
    Kit& operator=(const Kit&) = delete;
    ~Kit();

    const build::CallTable& table() const { return table_; }
    /// The one for workers on a GPU; begins to make it.
    build::CallTable table_for(const build::Gpu& gpu) const;

    /// Throws model::ContentError where the contract is no longer the one that this was made for: what was
    /// compiled meanwhile was compiled against something else.
    void require_contract() const;

    /// Waits for the driver. Throws as `make` does.
    const build::CachedWorker& driver() const { return *driver_.get(); }

    /// Waits for the program of the mistakes. Throws as `make` does.
    const build::CachedWorker& mistakes() const;

    /// The program of the mistakes where it is there; null while it is being made, and where it cannot be.
    const build::CachedWorker* mistakes_if_made() const;

    /// Waits for all parts. Throws as `make` does.
    void wait() const;
    /// The same, and copies them into the system's folder. Throws as `Kits::publish` does, too.
    void publish() const;

  private:
    using Program = std::shared_ptr<const build::CachedWorker>;

    void announce();
    Program begin_driver();
    Program begin_mistakes();

    const Kits* kits_ = nullptr;
    Package package_;
    std::filesystem::path exercise_;
    std::unique_ptr<sys::Cancellation> cancellation_;
    std::once_flag announced_;
    std::promise<Program> finding_;
    std::shared_future<Program> found_ = finding_.get_future().share();
    // Last: while these are destroyed, their threads may still use the others.
    build::CallTable table_;
    std::shared_future<Program> driver_;
    std::shared_future<Program> mistakes_;
};

} // namespace kit
