#include "app/how_far.h"

#include <algorithm>
#include <fmt/format.h>
#include <utility>

namespace app {
namespace {

constexpr std::array<std::pair<model::Check, const char*>, 4> check_names{{
    {model::Check::sanitizers, "checked build"},
    {model::Check::races, "race check"},
    {model::Check::trace, "traced kernels"},
    {model::Check::gpu, "on the GPU"},
}};

std::size_t index_of(model::Check check) {
    return static_cast<std::size_t>(check);
}

} // namespace

void HowFar::heard(const judge::Heard& heard) {
    programs_.at(index_of(heard.check)) = {heard.ended, heard.tests};
}

std::string HowFar::line(bool unicode) const {
    if (std::ranges::all_of(programs_, [](const Program& program) { return program.tests == 0; })) return "";
    const char* dot = unicode ? " · " : ", ";
    const Program& judged = programs_.at(index_of(model::Check::none));
    std::string line = judged.tests == 0
                           ? "compiling"
                           : fmt::format("compiled{}{} of {} tests", dot, judged.ended, judged.tests);
    for (const auto& [check, name] : check_names) {
        const Program& program = programs_.at(index_of(check));
        if (program.tests > 0)
            line += fmt::format("{}{} {} %", dot, name, 100 * program.ended / program.tests);
    }
    return line;
}

} // namespace app
