#include "app/harden/symptom.h"

#include <algorithm>
#include <fmt/format.h>

namespace harden {
namespace {

constexpr std::string_view call_words = "The last call was ";

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

std::string index_words(const std::vector<std::uint64_t>& index) {
    std::string text;
    for (const std::uint64_t each : index)
        text += fmt::format("{}{}", text.empty() ? "" : ", ", each);
    return "[" + text + "]";
}

// A crash is left out: its message names the line.

/// Of two failures the one with numbers tells more; then the one with less to read.
bool tells_more(const model::TestResult& one, const model::TestResult& other) {
    if (one.mismatch.has_value() != other.mismatch.has_value()) return one.mismatch.has_value();
    return one.message.size() < other.message.size();
}

} // namespace

std::optional<std::string> symptom_of(const model::Judgement& judgement) {
    const model::TestResult* best = nullptr;
    for (const model::TestResult& test : judgement.tests) {
        const bool told = test.visibility == model::Visibility::visible &&
                          test.detail == model::Detail::full &&
                          test.verdict == model::Verdict::wrong_answer && !test.message.empty();
        if (told && (best == nullptr || tells_more(test, *best))) best = &test;
    }
    if (best == nullptr) return std::nullopt;

    std::string input;
    std::string seen;
    for (const std::string& line : lines_of(best->message))
        if (line.starts_with(call_words))
            input = "I called " + line.substr(call_words.size()) + "\n";
        else if (line.find("expected ") != std::string::npos) // "… is wrong: expected ok, got …"
            seen = "For me " + line + ".";
    if (!seen.empty()) return input + seen;
    if (!best->mismatch) return std::nullopt;
    const model::Mismatch& mismatch = *best->mismatch;
    return input + fmt::format("I expected {} in {} at {}.\nI got {}.", mismatch.expected,
                               mismatch.what.empty() ? "the result" : mismatch.what,
                               index_words(mismatch.index), mismatch.got);
}

} // namespace harden
