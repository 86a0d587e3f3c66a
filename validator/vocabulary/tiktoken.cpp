#include "vocabulary/lines.h"
#include "vocabulary/vocabulary.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <unordered_map>

namespace vocabulary {
namespace {

using catalogue::Source;

/// RFC 4648, section 4: whole groups of four characters, the last of which may end with one or two signs of
/// equality.
std::optional<std::string> decode_base64(std::string_view text) {
    constexpr std::string_view digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    if (text.empty() || text.size() % 4 != 0) return std::nullopt;
    const std::size_t padding = text.ends_with("==") ? 2 : text.ends_with('=') ? 1 : 0;
    text.remove_suffix(padding);
    std::string bytes;
    std::uint32_t bits = 0;
    int count = 0;
    for (const char c : text) {
        const std::size_t digit = digits.find(c);
        if (digit == std::string_view::npos) return std::nullopt;
        bits = bits << 6 | static_cast<std::uint32_t>(digit);
        count += 6;
        if (count < 8) continue;
        count -= 8;
        bytes.push_back(static_cast<char>(bits >> count & 0xff));
    }
    return bytes;
}

/// Far more than a word, or a run of blanks, has. Finding the halves of a token takes the square of its
/// length.
constexpr std::size_t max_token_bytes = 512;

struct Ranked {
    std::string bytes;
    std::size_t line = 0;
};

/// The tokens in the order of their ranks, which are 0, 1, 2, ... in some order.
std::vector<Ranked> read_ranks(const Source& source) {
    const std::vector<std::string_view> lines = lines_of(source);
    if (lines.empty()) refuse(source, "is empty");
    std::vector<Ranked> ranked(lines.size());
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const std::size_t number = i + 1;
        const auto [encoded, digits] = two_words(lines[i]);
        const auto bytes = decode_base64(encoded);
        std::size_t rank = 0;
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), rank);
        if (!bytes || digits.empty() || error != std::errc() || end != digits.data() + digits.size())
            refuse(source, number, "is not a token: Base64, a space and a number are expected");
        if (bytes->size() > max_token_bytes)
            refuse(source, number,
                   fmt::format("has a token of {} bytes; the longest may have {}", bytes->size(),
                               max_token_bytes));
        if (rank >= ranked.size())
            refuse(source, number,
                   fmt::format("has the number {}; those of {} tokens are 0 to {}", rank, ranked.size(),
                               ranked.size() - 1));
        if (ranked[rank].line != 0)
            refuse(source, number, fmt::format("has the number {}, as line {} has", rank, ranked[rank].line));
        ranked[rank] = {*bytes, number};
    }
    return ranked;
}

using Ids = std::unordered_map<std::string, std::int32_t>;

/// The two tokens that encoding the bytes with the tokens known so far leaves; nothing where it leaves more.
std::optional<Merge> halves_of(const std::string& bytes, const Ids& known) {
    std::vector<std::string> parts;
    for (const char byte : bytes)
        parts.emplace_back(1, byte);
    while (parts.size() > 2) {
        std::size_t best = parts.size();
        std::int32_t lowest = std::numeric_limits<std::int32_t>::max();
        for (std::size_t i = 0; i + 1 < parts.size(); ++i)
            if (const auto found = known.find(parts[i] + parts[i + 1]);
                found != known.end() && found->second < lowest) {
                best = i;
                lowest = found->second;
            }
        if (best == parts.size()) return std::nullopt;
        parts[best] += parts[best + 1];
        parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best) + 1);
    }
    return Merge{known.at(parts[0]), known.at(parts[1])};
}

} // namespace

Vocabulary read_tiktoken(const Source& source) {
    const std::vector<Ranked> ranked = read_ranks(source);
    Vocabulary result;
    result.published.assign(256, -1);
    Ids known;
    for (std::size_t rank = 0; rank < ranked.size(); ++rank)
        if (const auto& [bytes, line] = ranked[rank]; bytes.size() == 1) {
            const auto byte = static_cast<unsigned char>(bytes[0]);
            if (!known.emplace(bytes, byte).second)
                refuse(source, line, "has a token that is empty or came before");
            result.published[byte] = static_cast<std::int64_t>(rank);
        }
    if (const auto missing = std::ranges::find(result.published, -1); missing != result.published.end())
        refuse(source, fmt::format("has no token for the byte {}; is the file complete?",
                                   missing - result.published.begin()));
    for (std::size_t rank = 0; rank < ranked.size(); ++rank) {
        const auto& [bytes, line] = ranked[rank];
        if (bytes.size() == 1) continue;
        if (bytes.empty() || known.contains(bytes))
            refuse(source, line, "has a token that is empty or came before");
        const auto halves = halves_of(bytes, known);
        if (!halves) refuse(source, line, "has a token that no two of lower rank make");
        known.emplace(bytes, static_cast<std::int32_t>(256 + result.merges.size()));
        result.merges.push_back(*halves);
        result.published.push_back(static_cast<std::int64_t>(rank));
    }
    if (result.merges.empty()) refuse(source, "has no token of more than one byte");
    return result;
}

} // namespace vocabulary
