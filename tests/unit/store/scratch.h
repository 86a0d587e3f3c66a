#pragma once

#include "model/judgement.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>

/// A folder of its own for each test case, gone at its end.
class Scratch {
  public:
    Scratch() {
        std::string name = (std::filesystem::temp_directory_path() / "engine-store-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a scratch folder");
        folder_ = name;
    }
    ~Scratch() {
        std::error_code ignored;
        std::filesystem::remove_all(folder_, ignored);
    }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;

    const std::filesystem::path& folder() const { return folder_; }
    std::filesystem::path database() const { return folder_ / ".engine" / "progress.db"; }

  private:
    std::filesystem::path folder_;
};

inline std::string bytes_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

inline void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

inline model::Judgement judged(std::string problem, model::Verdict verdict, double points,
                               bool graded = true) {
    model::Judgement judgement;
    judgement.problem_id = std::move(problem);
    judgement.verdict = verdict;
    judgement.points = points;
    judgement.max_points = 20;
    judgement.graded = graded;
    judgement.started = "2026-01-31T12:00:00Z";
    judgement.seed = 7;
    return judgement;
}
