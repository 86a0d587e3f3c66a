#pragma once

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

/// What one format knows, all know: every field of the JSON reports is looked for in the other formats. A new
/// field needs a row here, and a format that has no place for it a reason.
namespace golden {

using Json = nlohmann::json;

/// The ways in which a format may say it; none where there is nothing to say.
using Words = std::vector<std::string>;

struct Fact {
    std::string path; ///< "tests[].name"
    std::function<Words(const Json& value)> words;
    std::map<std::string, std::string> exceptions; ///< format -> why it has no place for it
};

const std::vector<Fact>& facts();

} // namespace golden
