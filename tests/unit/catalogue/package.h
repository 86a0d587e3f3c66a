#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "catalogue/catalogue.h"

/// A folder of its own that goes away with the value.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

/// Valid content to spoil: the curriculum lists `first-steps` (a manifest and no more) and then `two-rows`, a
/// whole package. The members are what gets written; `files` wins over the others.
struct Package {
    using Json = nlohmann::json;
    Json curriculum, first_steps, problem, questions, kills;
    std::map<std::string, std::string> files; ///< path under the content root -> text
    std::set<std::string> folders;            ///< made as folders instead of files

    Package();
    catalogue::Content write(const std::filesystem::path& root) const;
};

/// Paths of `two-rows`, as messages call them.
inline const std::string manifest_file = "problems/two-rows/problem.json";
inline const std::string questions_file = "problems/two-rows/questions.json";
inline const std::string hints_file = "problems/two-rows/hints.md";
inline const std::string statement_file = "problems/two-rows/statement.md";
inline const std::string mistake_file = "problems/two-rows/mistakes/reads-column.diff";
inline const std::string kills_file = "problems/two-rows/kills.json";
inline const std::string reference_file = "reference/two-rows/rows.cpp";
inline const std::string accepted_file = "problems/two-rows/accepted/backwards.cpp";
