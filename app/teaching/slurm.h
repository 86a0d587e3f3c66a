#pragma once

#include "app/context.h"
#include "app/teaching/cluster_files.h"
#include "app/teaching/executor.h"
#include "app/teaching/slurm_client.h"

#include <chrono>
#include <filesystem>
#include <optional>

namespace teaching {

/// Judges on a cluster, as job arrays of Slurm: several pieces a task, results as files. A task that is lost
/// is handed in again, a run that was killed takes over what its tasks have done, and an interrupted one
/// cancels its job.
class Slurm : public Executor {
  public:
    /// `folder` is for the files of this gradebook, and has to be shared by all nodes. Throws
    /// model::EnvironmentError where Slurm is not here.
    Slurm(const app::Context& context, const std::filesystem::path& folder,
          std::optional<std::chrono::seconds> cpu, int cancel_fd);

    void run(const std::vector<Piece>& pieces, const Files& files, const Collect& collect) override;

  private:
    using Open = std::vector<const Piece*>;

    void run_array(Open open, const Files& files, const Collect& collect);
    JobArray prepare(const Open& open, const Files& files) const;
    void collect_results(Open& open, const Collect& collect) const;
    void wait_for(std::uint64_t job, Open& open, const Collect& collect) const;
    bool interrupted(std::chrono::milliseconds pause) const;

    const app::Context& context_;
    SlurmClient client_;
    ClusterFiles shared_;
    std::optional<std::chrono::seconds> cpu_;
    int cancel_fd_;
};

} // namespace teaching
