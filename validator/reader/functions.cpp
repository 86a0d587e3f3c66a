#include "reader/functions.h"

#include "reader/words.h"

#include <algorithm>
#include <initializer_list>
#include <set>

namespace reader {
namespace {

bool opens_namespace(const std::vector<Word>& words, std::size_t brace) {
    std::size_t i = brace;
    while (i > 0 && (words[i - 1].identifier || words[i - 1].text == "::")) {
        --i;
        if (words[i].text == "namespace") return true;
    }
    return false;
}

/// The `(` of the list before a body; of a constructor that initialises members, the last of those lists.
std::size_t list_before(const std::vector<Word>& words, std::size_t brace) {
    std::size_t i = brace;
    while (i > 0 && words[i].text != ")")
        --i;
    return words[i].partner;
}

/// Whether what comes before a parameter list, in the same declaration, holds one of these words.
bool begins_with(const std::vector<Word>& words, std::size_t list,
                 std::initializer_list<std::string_view> any) {
    for (std::size_t i = list; i-- > 0;) {
        const std::string_view text = words[i].text;
        if (text == ";" || text == "{" || text == "}") return false;
        if (std::ranges::find(any, text) != any.end()) return true;
    }
    return false;
}

} // namespace

std::vector<Function> functions_of(const std::string& source) {
    const std::vector<Word> words = read_words(source);
    std::vector<Function> functions;
    std::size_t class_ends = 0;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::size_t end = words[i].partner;
        if (words[i].text != "{" || end <= i) continue;
        if (words[end].ends_function) {
            const std::size_t list = list_before(words, i);
            const bool named = list > 0 && words[list - 1].identifier;
            functions.push_back({.name = named ? std::string(words[list - 1].text) : "",
                                 .in_class = i < class_ends,
                                 .constant = begins_with(words, list, {"constexpr", "consteval"}),
                                 .deduced = !named || begins_with(words, list, {"auto"}),
                                 .opens = words[i].offset,
                                 .closes = words[end].offset,
                                 .first_line = words[i].line,
                                 .last_line = words[end].line});
            i = end;
        } else if (!opens_namespace(words, i)) {
            class_ends = std::max(class_ends, end);
        }
    }
    return functions;
}

std::vector<std::string> defined_functions(const std::string& source) {
    std::set<std::string> names;
    for (const Function& function : functions_of(source))
        if (!function.in_class && !function.name.empty()) names.insert(function.name);
    return {names.begin(), names.end()};
}

} // namespace reader
