#include "build/parameters.h"

#include "build/file.h"
#include "reader/declarations.h"
#include "reader/words.h"

#include <optional>
#include <vector>

namespace build {
namespace {

using Words = std::vector<reader::Word>;

/// The `(` of the parameters of this function; 0 if it is not declared. Members may have the same name.
std::size_t parameters_of(const Words& words, const std::string& function) {
    for (const reader::Declaration& declaration : reader::declarations_of(words))
        if (declaration.kind == reader::Declaration::Kind::function && declaration.name == function)
            for (std::size_t k = declaration.first; k + 1 < declaration.last; ++k)
                if (words[k].text == function && words[k + 1].text == "(") return k + 1;
    return 0;
}

/// The name in the declaration of a parameter that begins and ends at these words: the last of several.
std::string name_in(const Words& words, std::size_t first, std::size_t last) {
    std::size_t end = first;
    while (end < last && words[end].text != "=")
        ++end;
    return end - first > 1 && words[end - 1].identifier ? std::string(words[end - 1].text) : "";
}

} // namespace

std::string parameter_name(const std::filesystem::path& contract, const std::string& function, int number) {
    const std::optional<std::string> text = read_file(contract);
    if (!text) return "";
    const Words words = reader::read_words(*text);
    const std::size_t opens = parameters_of(words, function);
    const std::size_t closes = opens > 0 ? words[opens].partner : 0;
    int current = 1;
    for (std::size_t first = opens + 1, k = first; k <= closes; ++k) {
        if (k == closes || words[k].text == ",") {
            if (current == number) return name_in(words, first, k);
            ++current;
            first = k + 1;
        } else if (words[k].partner > k) {
            k = words[k].partner;
        }
    }
    return "";
}

} // namespace build
