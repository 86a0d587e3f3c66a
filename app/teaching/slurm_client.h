#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace teaching {

/// A job array as it is handed to Slurm.
struct JobArray {
    std::size_t tasks = 0; ///< at most `max_array_tasks`
    std::filesystem::path script;
    std::vector<std::string> arguments; ///< of the script
    std::filesystem::path log_folder;
    std::string partition;           ///< empty: the cluster's default
    bool on_gpu = false;             ///< each task gets a GPU
    std::set<std::string> not_there; ///< nodes that get no task
};

/// Slurm's MaxArraySize is 1,001 unless an administrator has changed it, and numbers begin at 0.
inline constexpr std::size_t max_array_tasks = 1000;

/// Slurm by its programs: sbatch, squeue, scancel. They see our environment, and so SLURM_CONF.
class SlurmClient {
  public:
    /// Throws model::EnvironmentError where Slurm is not installed here.
    SlurmClient();

    /// The job's id. Throws model::EnvironmentError with Slurm's words where it refuses or does not answer.
    std::uint64_t submit(const JobArray& array) const;

    /// Whether any task of the job is still waiting or running; nothing where Slurm does not answer.
    std::optional<bool> is_active(std::uint64_t job) const;

    void cancel(std::uint64_t job) const;

  private:
    std::filesystem::path sbatch_;
    std::filesystem::path squeue_;
    std::filesystem::path scancel_;
};

} // namespace teaching
