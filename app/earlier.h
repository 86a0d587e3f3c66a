#pragma once

#include "catalogue/schema.h"
#include "catalogue/source.h"
#include "model/judgement.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

/// A judgement that was reported before, and what became of it.
namespace app {

/// What a report says of the judgement that it was made of, as far as that is to be repeated.
struct Earlier {
    std::string problem;
    std::uint64_t seed = 0;
    bool graded = false;
    bool thorough = false;
    model::Stage stage = model::Stage::build;
    std::string verdict;
    std::vector<std::pair<std::string, std::string>> tests; ///< name and verdict
    std::string engine;
    std::string collection; ///< its hash
    std::string compiler;
    std::string flags;
    std::string device;
    std::string isolation;
};

/// Reads a JSON report. Throws model::UsageError for anything else; `schemas` has what it is checked against.
Earlier read_earlier(const std::filesystem::path& file, const std::filesystem::path& schemas);

/// The same of a text that was read, with the schema of reports. Throws model::ContentError.
Earlier read_earlier(const catalogue::Source& report, const catalogue::Schema& schema);

/// A line for each circumstance that is not what it was.
std::vector<std::string> changes(const Earlier& earlier, const model::Judgement& now);

/// Which tests ended otherwise, in a sentence.
std::string comparison(const Earlier& earlier, const model::Judgement& now);

} // namespace app
