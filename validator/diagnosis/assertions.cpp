#include "diagnosis/assertions.h"

#include <algorithm>
#include <array>
#include <utility>

namespace diagnosis {
namespace {

constexpr std::size_t longest_assertion = 2000, longest_condition = 80;

struct Check {
    std::string_view member;
    const char* words; ///< % stands for the class
    const char* advice;
};

constexpr std::array checks{
    Check{"operator[]", "used an element of a % that does not exist: the index is too large",
          "print the index and size() just before; the last index is size() - 1"},
    Check{"front", "asked an empty % for its first element", "call it only if empty() is false"},
    Check{"back", "asked an empty % for its last element", "call it only if empty() is false"},
    Check{"pop_back", "took the last element off an empty %", "call it only if empty() is false"},
    Check{"pop_front", "took the first element off an empty %", "call it only if empty() is false"},
    Check{"first", "asked for more elements than a % has", "compare the count with size()"},
    Check{"last", "asked for more elements than a % has", "compare the count with size()"},
    Check{"subspan", "asked for a part of a % that lies outside it", "compare offset and count with size()"},
    Check{"_M_get", "used the value of a % that holds none", "ask has_value() first"},
    Check{"operator*", "used a null %", "test it before it is used"},
    Check{"operator->", "used a null %", "test it before it is used"},
};

/// "std::string" for std::basic_string, and the like; a function of namespace std has no class.
std::string class_name(const std::string& name) {
    if (name == "std") return name;
    if (name == "basic_string") return "std::string";
    if (name == "basic_string_view") return "std::string_view";
    if (name == "_Optional_base_impl" || name == "_Optional_payload_base") return "std::optional";
    return "std::" + name;
}

FailedAssertion of_library(const std::string& type, const std::string& member, const std::string& condition) {
    const auto known = std::ranges::find(checks, std::string_view(member), &Check::member);
    if (known == checks.end())
        return {"failed the check `" + condition + "` of " + class_name(type) + "::" + member,
                "look up what that function asks of its arguments"};
    std::string words = known->words;
    words.replace(words.find('%'), 1, class_name(type));
    return {words, known->advice};
}

/// "std::span<_Type, _Extent>::operator[](size_type) const" as class and member; both empty if it is none.
std::pair<std::string, std::string> class_and_member(std::string_view signature) {
    const std::size_t parameters = signature.rfind('(');
    const std::size_t colons = signature.substr(0, parameters).rfind("::");
    if (parameters == std::string_view::npos || colons == std::string_view::npos) return {};
    std::size_t end = colons;
    for (int depth = 0; end > 0; --end) { // over the template's arguments
        const char letter = signature[end - 1];
        depth += letter == '>' ? 1 : letter == '<' ? -1 : 0;
        if (depth == 0 && letter != '<') break;
    }
    const std::size_t begin = signature.substr(0, end).find_last_of(": &*<") + 1;
    return {std::string(signature.substr(begin, end - begin)),
            std::string(signature.substr(colons + 2, parameters - colons - 2))};
}

/// The standard library writes "FILE:LINE: FUNCTION [with ...]: Assertion 'CONDITION' failed.", and assert
/// "PROGRAM: FILE:LINE: FUNCTION: Assertion `CONDITION' failed.".
std::optional<FailedAssertion> read_line(std::string_view line) {
    constexpr std::string_view mark = ": Assertion ", tail = "' failed.";
    const std::size_t at = line.find(mark);
    if (line.size() > longest_assertion || at == std::string_view::npos || !line.ends_with(tail))
        return std::nullopt;
    std::string_view condition = line.substr(at + mark.size());
    if (condition.size() <= tail.size()) return std::nullopt;
    const bool by_library = condition.front() == '\'';
    condition = condition.substr(1, std::min(condition.size() - tail.size() - 1, longest_condition));
    const std::string text(condition);
    if (!by_library)
        return FailedAssertion{"failed the assertion `" + text + "`", "its condition is false in this call"};
    const auto [type, member] = class_and_member(line.substr(0, std::min(at, line.find(" [with "))));
    if (type.empty() || member.empty()) return std::nullopt;
    return of_library(type, member, text);
}

} // namespace

std::optional<FailedAssertion> failed_assertion(std::string_view printed) {
    for (std::size_t end = printed.size(); end > 0;) {
        const std::size_t before = printed.rfind('\n', end - 1);
        const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
        if (auto found = read_line(printed.substr(begin, end - begin))) {
            found->begin = begin;
            found->end = std::min(end + 1, printed.size());
            return found;
        }
        end = begin == 0 ? 0 : begin - 1;
    }
    return std::nullopt;
}

} // namespace diagnosis
