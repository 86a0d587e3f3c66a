#include "app/agreement.h"

#include "text/utf8.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace app {
namespace {

std::string bytes_as_numbers(std::string_view text) {
    std::string line = std::to_string(text.size());
    for (const char byte : text)
        line += fmt::format(" {}", static_cast<unsigned char>(byte));
    return line + "\n";
}

std::string every_byte() {
    std::string bytes;
    for (int byte = 0; byte < 256; ++byte)
        bytes.push_back(static_cast<char>(byte));
    return bytes;
}

/// The numbers of a line, as the vocabulary's files have them.
std::vector<std::int64_t> ids_of(std::string_view line, const vocabulary::Vocabulary& vocabulary) {
    std::vector<std::int64_t> ids;
    const char* const end = line.data() + line.size();
    for (const char* at = line.data(); at < end;) {
        std::int64_t id = -1;
        const auto [next, error] = std::from_chars(at, end, id);
        if (error != std::errc()) break;
        const bool is_token = id >= 0 && static_cast<std::size_t>(id) < vocabulary.published.size();
        ids.push_back(is_token ? vocabulary.published[static_cast<std::size_t>(id)] : -1);
        at = std::min(end, next + 1);
    }
    return ids;
}

} // namespace

std::vector<Sample> samples_of(const vocabulary::Vocabulary& vocabulary) {
    // Published ids: Raschka, "Build a Large Language Model (From Scratch)", 2024, chapter 2.
    std::vector<Sample> samples{
        {"Hello,", {15496, 11}},
        {"Implementations", {3546, 26908, 602}},
        {"This is some text", {1212, 318, 617, 2420}},
        {"Akwirw ier", {33901, 86, 343, 86, 220, 959}},
        {""},
        {"they're, we'll, I'd, it's, don't, I'm, you've; 'S and don 't"},
        {"3.14159, 1000000 and 2^53 + 1"},
        {"  two blanks,\ttabs\tand   \n\n lines \r\n"},
        {"na\u00efve Stra\u00dfe, \u03b1\u03b2\u03b3, \u6f22\u5b57, \u0661\u0662\u0663, \u00a0\u3000"},
        {"\U0001F600 \U0001F469\u200D\U0001F52C e\u0301"},
        {"for (int i = 0; i < n; ++i) { sum += x[i]; } // !!!"},
        {std::string(1000, 'a') + std::string(1000, ' ')},
        {every_byte()},
        {"cut off: \xe6\xbc and \xff\xfe\xc0\x80"},
    };
    for (const std::string& special : vocabulary.specials)
        samples.push_back({"before" + special + special + " after"});
    return samples;
}

std::string input_of(const vocabulary::Vocabulary& vocabulary, const std::vector<Sample>& samples) {
    std::string input = fmt::format("{}\n", vocabulary.merges.size());
    for (const auto& [left, right] : vocabulary.merges)
        input += fmt::format("{} {}\n", left, right);
    input += fmt::format("{}\n", vocabulary.specials.size());
    for (const std::string& special : vocabulary.specials)
        input += bytes_as_numbers(special);
    input += fmt::format("{}\n", samples.size());
    for (const Sample& sample : samples)
        input += bytes_as_numbers(sample.text);
    return input;
}

std::optional<std::vector<Encoded>> read_encoded(std::string_view output,
                                                 const vocabulary::Vocabulary& vocabulary) {
    std::vector<Encoded> encoded;
    while (!output.empty()) {
        const std::string_view line = output.substr(0, output.find('\n'));
        output.remove_prefix(std::min(output.size(), line.size() + 1));
        if (line == "@ refused") return std::nullopt;
        if (line == "@ ids") encoded.emplace_back();
        if (line.starts_with("@ ids ")) encoded.push_back({ids_of(line.substr(6), vocabulary), false});
        if (line == "@ decoded" && !encoded.empty()) encoded.back().decoded = true;
    }
    return encoded;
}

bool gives_published(const std::vector<Sample>& samples, const std::vector<Encoded>& encoded) {
    return std::ranges::equal(samples, encoded, [](const Sample& sample, const Encoded& one) {
        return sample.published.empty() || sample.published == one.ids;
    });
}

std::string shown_text(std::string_view text) {
    constexpr std::size_t max_bytes = 40;
    const std::string_view all = text;
    text = text::prefix(text, max_bytes);
    std::string shown = "\"";
    const bool is_cut = text.size() < all.size();
    while (!text.empty()) {
        const text::Character next = text::first_character(text);
        const std::string_view bytes = text.substr(0, next.size);
        text.remove_prefix(next.size);
        if (bytes == "\n")
            shown += "\\n";
        else if (bytes == "\"" || bytes == "\\")
            shown += "\\" + std::string(bytes);
        else if (next.well_formed && next.code >= 0x20 && (next.code < 0x7f || next.code > 0xa0))
            shown += bytes;
        else
            for (const char byte : bytes)
                shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    return shown + (is_cut ? fmt::format("...\" ({} bytes)", all.size()) : "\"");
}

} // namespace app
