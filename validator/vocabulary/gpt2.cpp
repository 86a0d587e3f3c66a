#include "catalogue/document.h"
#include "vocabulary/byte_alphabet.h"
#include "vocabulary/lines.h"
#include "vocabulary/vocabulary.h"

#include <algorithm>
#include <fmt/format.h>
#include <unordered_map>

namespace vocabulary {
namespace {

using catalogue::Source;

/// More special tokens than any vocabulary of this kind has: merges are missing.
constexpr std::size_t max_specials = 32;

/// The bytes of each token, and the token that has them.
struct Tokens {
    std::vector<std::string> bytes;
    std::unordered_map<std::string, std::int32_t> ids;

    Tokens() {
        for (int byte = 0; byte < 256; ++byte)
            add(std::string(1, static_cast<char>(byte)));
    }
    bool add(const std::string& token) {
        const bool is_new = ids.emplace(token, static_cast<std::int32_t>(bytes.size())).second;
        if (is_new) bytes.push_back(token);
        return is_new;
    }
};

/// A half of a merge, which has to be there already.
std::int32_t known(const Source& source, std::size_t line, std::string_view written, const Tokens& tokens) {
    const auto bytes = bytes_of(written);
    if (!bytes)
        refuse(
            source, line,
            "has a character that does not stand for a byte; two tokens as GPT-2 writes them are expected");
    const auto found = tokens.ids.find(*bytes);
    if (found == tokens.ids.end())
        refuse(source, line, fmt::format("merges {}, which no line before makes", written));
    return found->second;
}

std::vector<Merge> read_merges(const Source& source, Tokens& tokens) {
    std::vector<Merge> merges;
    const std::vector<std::string_view> lines = lines_of(source);
    for (std::size_t i = 0; i < lines.size(); ++i) {
        if (i == 0 && lines[i].starts_with("#version")) continue;
        const std::size_t number = i + 1;
        const auto [first, second] = two_words(lines[i]);
        if (first.empty())
            refuse(source, number, "is not a merge: two tokens are expected, with a space between them");
        const Merge merge{known(source, number, first, tokens), known(source, number, second, tokens)};
        if (!tokens.add(tokens.bytes[static_cast<std::size_t>(merge.left)] +
                        tokens.bytes[static_cast<std::size_t>(merge.right)]))
            refuse(source, number, fmt::format("makes {}{}, which a line before makes", first, second));
        merges.push_back(merge);
    }
    if (merges.empty()) refuse(source, "has no merges");
    return merges;
}

catalogue::Document read_json(const Source& source) {
    try {
        return catalogue::parse(source);
    } catch (const model::ContentError& error) {
        throw model::UsageError(error.what());
    }
}

/// The number of a token: one of those that so many tokens have.
std::int64_t number_of(const Source& source, const std::string& token, const catalogue::Json& value,
                       std::size_t size) {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= size)
        refuse(source, fmt::format("the number of {} is {}; those of {} tokens are 0 to {}", token,
                                   catalogue::cited(value), size, size - 1));
    return value.get<std::int64_t>();
}

} // namespace

Vocabulary read_gpt2(const Source& merges, const Source& numbers) {
    Tokens tokens;
    Vocabulary result;
    result.merges = read_merges(merges, tokens);
    const catalogue::Json json = read_json(numbers).content;
    if (!json.is_object() || json.empty())
        refuse(numbers, "is not an object that gives each token a number, as encoder.json does");

    result.published.assign(tokens.bytes.size(), -1);
    std::vector<std::string> owner(json.size());
    std::vector<std::pair<std::int64_t, std::string>> specials;
    for (const auto& [token, value] : json.items()) {
        const std::int64_t number = number_of(numbers, token, value, json.size());
        if (token.empty()) refuse(numbers, fmt::format("gives number {} to a token that is empty", number));
        std::string& before = owner[static_cast<std::size_t>(number)];
        if (!before.empty())
            refuse(numbers, fmt::format("{} and {} have the number {}", before, token, number));
        before = token;
        const auto bytes = bytes_of(token);
        const auto found = bytes ? tokens.ids.find(*bytes) : tokens.ids.end();
        if (found != tokens.ids.end())
            result.published[static_cast<std::size_t>(found->second)] = number;
        else
            specials.emplace_back(number, token);
    }
    const auto missing = std::ranges::find(result.published, -1);
    if (missing != result.published.end())
        refuse(
            numbers,
            fmt::format("has no number for {}, a token of {}; are the two from one vocabulary?",
                        written(tokens.bytes[static_cast<std::size_t>(missing - result.published.begin())]),
                        merges.name));
    if (specials.size() > max_specials)
        refuse(numbers, fmt::format("has {} tokens that {} does not make, such as {}; are the two of one "
                                    "vocabulary, and is the second whole?",
                                    specials.size(), merges.name, specials.front().second));
    std::ranges::sort(specials);
    for (const auto& [number, token] : specials) {
        result.specials.push_back(token);
        result.published.push_back(number);
    }
    return result;
}

} // namespace vocabulary
