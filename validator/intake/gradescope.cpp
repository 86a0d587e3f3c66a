#include "intake/gradescope.h"

#include "model/errors.h"

#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <regex>

namespace intake {
namespace {

/// Keys are Ruby's symbols: ":name". Nothing where the value is not a single one.
std::string word_at(const YAML::Node& node, const char* key) {
    const YAML::Node value = node[key];
    return value.IsDefined() && value.IsScalar() ? value.Scalar() : "";
}

/// "2023-10-01 12:34:56.123456000 Z", or with an offset as "-07:00" at the end.
std::optional<coursework::Instant> created_at(const std::string& text) {
    static const std::regex form(
        R"((\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)(?:\.\d{1,9})? ?(?:Z|([+-])(\d\d):(\d\d)))");
    std::smatch parts;
    constexpr std::size_t max_bytes = 40; // std::regex recurses
    if (text.size() > max_bytes || !std::regex_match(text, parts, form)) return std::nullopt;
    auto time = coursework::from_utc(parts[1].str() + "T" + parts[2].str() + "Z");
    if (!time || !parts[3].matched) return time;
    const auto offset = std::chrono::hours(std::stoi(parts[4])) + std::chrono::minutes(std::stoi(parts[5]));
    return parts[3] == "+" ? *time - offset : *time + offset;
}

ExportedSubmission submission_of(const std::string& folder, const YAML::Node& node) {
    ExportedSubmission submission{folder, {}, created_at(word_at(node, ":created_at"))};
    const YAML::Node submitters = node[":submitters"];
    if (!submitters.IsDefined() || !submitters.IsSequence()) return submission;
    for (const YAML::Node& submitter : submitters) {
        if (!submitter.IsMap()) continue;
        std::vector<std::string> who{word_at(submitter, ":sid"), word_at(submitter, ":email"),
                                     word_at(submitter, ":name")};
        std::erase(who, "");
        if (!who.empty()) submission.submitters.push_back(std::move(who));
    }
    return submission;
}

} // namespace

std::vector<ExportedSubmission> read_gradescope_metadata(const std::string& name, const std::string& text) {
    std::vector<ExportedSubmission> submissions;
    try {
        const YAML::Node root = YAML::Load(text);
        if (!root.IsMap()) throw model::ContentError(name, "", "it does not list submissions");
        for (const auto& entry : root)
            if (entry.first.IsScalar() && entry.second.IsMap())
                submissions.push_back(submission_of(entry.first.Scalar(), entry.second));
    } catch (const YAML::Exception& error) {
        throw model::ContentError(name, "line " + std::to_string(error.mark.line + 1) + ":", error.msg);
    }
    return submissions;
}

} // namespace intake
