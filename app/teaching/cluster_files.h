#pragma once

#include "app/teaching/executor.h"

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace teaching {

/// A piece as a task on another machine reads it.
struct ClusterPiece {
    Circumstances how;
    std::string key;
    std::string hash;
    std::vector<model::SourceFile> files;
};

/// What the tasks of a cluster read and write, in a folder that all nodes share. Only the process that
/// collects opens a database; tasks write whole files, each under its name in one step.
class ClusterFiles {
  public:
    explicit ClusterFiles(std::filesystem::path folder) : folder_(std::move(folder)) {}

    const std::filesystem::path& folder() const { return folder_; }

    /// Makes what is missing of the folder; no node is refused yet. Throws model::EnvironmentError where
    /// something cannot be written, as
    /// all functions that write do.
    void make() const;
    void remove() const;

    /// The script that a task of the array runs: its arguments, and then the task's number.
    std::filesystem::path write_script() const;
    void write_task(std::size_t number, const std::vector<ClusterPiece>& pieces,
                    std::optional<std::chrono::seconds> cpu) const;
    /// The job that may still be running if this process is killed; 0: none.
    void write_job(std::uint64_t job) const;
    std::uint64_t read_job() const;

    struct Task {
        std::vector<ClusterPiece> pieces;
        std::optional<std::chrono::seconds> cpu;
    };
    /// Throws model::EnvironmentError for a file that is missing or not whole.
    Task read_task(std::size_t number) const;

    void write_result(const std::string& key, const Result& result) const;
    /// Takes away what is there for the key; nothing while it is not there.
    std::optional<Result> take_result(const std::string& key) const;

    /// Nodes that may not judge, because their isolation is too weak or they are not like this machine, and
    /// why.
    void refuse_node(const std::string& node, const std::string& why) const;
    std::map<std::string, std::string> refused_nodes() const;

  private:
    std::filesystem::path folder_;
};

} // namespace teaching
