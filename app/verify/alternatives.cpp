#include "app/verify/alternatives.h"

#include <algorithm>
#include <fmt/format.h>

namespace verify {
namespace {

bool lies_in(const Mutant& mutant, const bundle::Function& function) {
    return mutant.offset > function.opens && mutant.offset + mutant.length <= function.closes;
}

/// Makes the compiler count on from `line` of `file`.
std::string line_mark(int line, const std::string& file) {
    return fmt::format("\n#line {} \"{}\"\n", line, file);
}

} // namespace

std::string file_name(const std::string& mutant, std::size_t file) {
    return fmt::format("mutant_{}_{}.cpp", mutant, file);
}

bool can_be_chosen(const Mutant& mutant, const std::vector<bundle::Function>& functions) {
    return std::ranges::any_of(functions, [&](const bundle::Function& function) {
        return !function.constant && lies_in(mutant, function);
    });
}

std::string with_alternatives(const std::string& source, std::size_t file,
                              const std::vector<Alternative>& alternatives) {
    std::string text;
    std::size_t done = 0;
    for (const bundle::Function& function : bundle::functions_of(source)) {
        const std::size_t begin = function.opens + 1;
        const std::string body = source.substr(begin, function.closes - begin);
        std::string cases;
        for (const Alternative& each : alternatives) {
            if (!lies_in(*each.mutant, function)) continue;
            Mutant within = *each.mutant;
            within.offset -= begin;
            cases += fmt::format("\ncase {}:{}{{{}\n}}\nbreak;", each.number,
                                 line_mark(function.first_line, file_name(std::to_string(each.number), file)),
                                 within.apply(body));
        }
        if (cases.empty()) continue;
        text += source.substr(done, begin - done);
        text += fmt::format("switch (::chosen_mutant) {{{}\ndefault:{}{{{}\n}}\n}}{}", cases,
                            line_mark(function.first_line, file_name(unchanged, file)), body,
                            line_mark(function.last_line, file_name(unchanged, file)));
        done = function.closes;
    }
    return text + source.substr(done);
}

} // namespace verify
