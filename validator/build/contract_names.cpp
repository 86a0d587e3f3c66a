#include "build/contract_names.h"

#include "build/file.h"
#include "text/nearest.h"

#include <algorithm>
#include <array>
#include <optional>
#include <set>

namespace build {
namespace {

namespace fs = std::filesystem;

bool begins_name(char letter) {
    return (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') || letter == '_';
}

bool continues_name(char letter) {
    return begins_name(letter) || (letter >= '0' && letter <= '9');
}

std::string without_comments(std::string_view text) {
    std::string code;
    while (!text.empty()) {
        const std::size_t begin = std::min({text.find("//"), text.find("/*"), text.size()});
        code += text.substr(0, begin);
        text.remove_prefix(begin);
        if (text.empty()) break;
        const std::string_view closing = text[1] == '/' ? "\n" : "*/";
        const std::size_t end = text.find(closing, 2);
        code += ' ';
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + (closing == "\n" ? 0 : 2));
    }
    return code;
}

std::vector<std::string_view> identifiers(std::string_view code) {
    std::vector<std::string_view> names;
    for (std::size_t at = 0; at < code.size();) {
        std::size_t end = at;
        while (end < code.size() && continues_name(code[end]))
            ++end;
        if (end > at && begins_name(code[at])) names.push_back(code.substr(at, end - at)); // else a number
        at = std::max(end, at + 1);
    }
    return names;
}

/// Types, aliases and namespaces follow a keyword; functions follow the parameter of EXERCISE_INTERFACE.
std::vector<std::string_view> declared(std::string_view code) {
    constexpr auto keywords =
        std::to_array<std::string_view>({"struct", "class", "enum", "using", "namespace", "concept"});
    const auto is_keyword = [&](std::string_view name) {
        return std::ranges::find(keywords, name) != keywords.end();
    };
    std::vector<std::string_view> names;
    std::string_view before, call;
    for (const std::string_view name : identifiers(code)) {
        if (before == "EXERCISE_INTERFACE") call = name;
        const bool declares = is_keyword(before) || (!call.empty() && before == call && name != call);
        if (declares && !is_keyword(name) && name.size() > 1)
            names.push_back(name); // one letter: a parameter
        before = name;
    }
    return names;
}

/// "common/ids.h" in `#include "common/ids.h"`; with '<' and '>' what they enclose.
std::vector<std::string> included(std::string_view code, char opening = '"', char closing = '"') {
    const std::string words = std::string("#include ") + opening;
    std::vector<std::string> headers;
    for (std::size_t at = code.find(words); at != std::string_view::npos; at = code.find(words, at)) {
        at += words.size();
        const std::size_t end = code.find(closing, at);
        if (end == std::string_view::npos) break;
        headers.emplace_back(code.substr(at, end - at));
    }
    return headers;
}

/// The name that the message calls unknown, or empty.
std::string unknown_name(std::string_view message) {
    constexpr auto openings =
        std::to_array<std::string_view>({"unknown type name '", "use of undeclared identifier '",
                                         "no template named '", "no namespace named '"});
    for (const std::string_view opening : openings)
        if (message.starts_with(opening))
            return std::string(
                message.substr(opening.size(), message.find('\'', opening.size()) - opening.size()));

    constexpr std::string_view open_quote = "‘", close_quote = "’";
    constexpr auto endings = std::to_array<std::string_view>(
        {"does not name a type", "was not declared in this scope", "has not been declared",
         "is not a namespace-name", "is not a template"});
    if (!message.starts_with(open_quote)) return "";
    message.remove_prefix(open_quote.size());
    const std::size_t end = message.find(close_quote);
    if (end == std::string_view::npos) return "";
    std::string_view rest = message.substr(end + close_quote.size());
    if (rest.starts_with(' ')) rest.remove_prefix(1);
    const bool unknown =
        std::ranges::any_of(endings, [rest](std::string_view ending) { return rest.starts_with(ending); });
    return unknown ? std::string(message.substr(0, end)) : "";
}

/// contract.h and the headers of `exercises`/common that come with it, without comments. Empty where one
/// cannot be read.
std::vector<std::string> contract_code(const fs::path& exercise, const fs::path& exercises) {
    std::vector<std::string> code;
    std::set<std::string> seen{"contract.h"};
    std::vector<fs::path> open{exercise / "contract.h"};
    while (!open.empty()) {
        const std::optional<std::string> text = read_file(open.back());
        open.pop_back();
        if (!text) return {};
        code.push_back(without_comments(*text));
        for (const std::string& header : included(code.back()))
            if (header.starts_with("common/") && seen.insert(header).second)
                open.push_back(exercises / header);
    }
    return code;
}

} // namespace

std::vector<std::string> contract_names(const fs::path& exercise, const fs::path& exercises) {
    std::set<std::string> names;
    for (const std::string& code : contract_code(exercise, exercises))
        for (const std::string_view name : declared(code))
            names.emplace(name);
    return {names.begin(), names.end()};
}

std::set<std::string> headers_of_contract(const fs::path& exercise, const fs::path& exercises) {
    std::set<std::string> headers;
    for (const std::string& code : contract_code(exercise, exercises))
        for (std::string& header : included(code, '<', '>'))
            headers.insert(std::move(header));
    return headers;
}

void name_nearest(std::vector<model::Diagnostic>& diagnostics, const fs::path& exercise,
                  const fs::path& exercises) {
    const std::vector<std::string> known = contract_names(exercise, exercises);
    for (model::Diagnostic& diagnostic : diagnostics)
        if (const std::string name = unknown_name(diagnostic.message); !name.empty())
            diagnostic.nearest = text::nearest(name, known).value_or("");
}

} // namespace build
