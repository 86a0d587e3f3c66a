#include "build/prelude.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace build {
namespace {

/// The headers of preludes/light.h, and those that come with them.
constexpr std::array<std::string_view, 36> light_headers{
    "algorithm", "array",    "assert.h",    "bit",           "cassert",    "cfloat",
    "climits",   "cmath",    "compare",     "concepts",      "cstddef",    "cstdint",
    "cstdio",    "cstdlib",  "cstring",     "float.h",       "functional", "initializer_list",
    "limits",    "limits.h", "map",         "math.h",        "numbers",    "numeric",
    "optional",  "span",     "stddef.h",    "stdint.h",      "stdio.h",    "stdlib.h",
    "string.h",  "tuple",    "type_traits", "unordered_map", "utility",    "vector"};

/// The parts of <cmath> that the preludes leave out.
constexpr std::array<std::string_view, 11> special_functions{
    "laguerre",     "legendre", "hermite",   "bessel", "neumann", "ellint_",
    "riemann_zeta", "expint",   "std::beta", "betaf",  "betal"};

std::string_view without_indent(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    const auto first = text.find_first_not_of(blanks);
    return first == std::string_view::npos ? std::string_view{} : text.substr(first);
}

/// The header named by `#include <header>`, or empty.
std::string_view included_header(std::string_view line) {
    line = without_indent(line);
    if (!line.starts_with('#')) return {};
    line = without_indent(line.substr(1));
    if (!line.starts_with("include")) return {};
    line = without_indent(line.substr(std::string_view("include").size()));
    if (!line.starts_with('<')) return {};
    return line.substr(1, line.find('>') - 1);
}

Prelude prelude_of(std::string_view text) {
    const auto named = [&](std::string_view word) { return text.find(word) != std::string_view::npos; };
    if (std::ranges::any_of(special_functions, named)) return Prelude::none;
    while (!text.empty()) {
        const auto end = std::min(text.find('\n'), text.size());
        const std::string_view header = included_header(text.substr(0, end));
        if (!header.empty() && std::ranges::find(light_headers, header) == light_headers.end())
            return Prelude::full;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return Prelude::light;
}

} // namespace

std::string file_name(Prelude prelude) {
    switch (prelude) {
    case Prelude::none: return "";
    case Prelude::light: return "light.h";
    case Prelude::full: return "full.h";
    case Prelude::cuda: return "cuda.h";
    }
    return "";
}

Prelude choose_prelude(const model::Submission& submission, model::Language language) {
    Prelude choice = Prelude::light;
    for (const model::SourceFile& file : submission.files) {
        const Prelude wanted = prelude_of(file.text);
        if (wanted == Prelude::none) return Prelude::none;
        choice = std::max(choice, wanted);
    }
    return language == model::Language::cuda ? Prelude::cuda : choice;
}

} // namespace build
