#pragma once

#include "catalogue/source.h"
#include "model/justification.h"
#include "model/question.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace asking {

/// Whose questions a file of answers has to be for.
struct Expected {
    std::string problem;
    std::uint64_t seed = 0;
    const std::vector<model::Question>& drawn;
};

/// The answers of an engine.answers/1 file by the id of their question (schemas/answers.schema.json). All of
/// them can be marked. Throws model::UsageError with the file and the place for anything else: a wrong shape,
/// another problem's or another seed's answers, an answer that is none.
std::map<std::string, model::Answer> read_answers(const std::filesystem::path& file,
                                                  const Expected& expected);

/// The same of a text that was read. Throws model::ContentError.
std::map<std::string, model::Answer> read_answers(const catalogue::Source& source, const Expected& expected);

} // namespace asking
