#include "catalogue/hints.h"

#include <array>
#include <cstddef>
#include <sstream>

#include "catalogue/lines.h"
#include "model/errors.h"

namespace catalogue {
namespace {

constexpr std::array rungs{"Nudge", "Idea", "Steps", "Worked numbers"};

bool is_fence(const std::string& line) {
    return line.starts_with("```") || line.starts_with("~~~");
}

} // namespace

std::vector<model::Hint> read_hints(const Source& source) {
    std::vector<model::Hint> hints;
    std::size_t number = 0;
    const auto fail = [&](const std::string& what) {
        throw model::ContentError(source.name, "line " + std::to_string(number) + ":", what);
    };
    const auto finish = [&] {
        if (hints.empty()) return;
        hints.back().text = trimmed(hints.back().text);
        if (hints.back().text.empty()) fail("the section \"" + hints.back().title + "\" before it is empty");
    };

    bool in_code = false; // a heading inside a fenced block is code
    std::istringstream stream(source.text);
    for (std::string line; next_line(stream, line);) {
        ++number;
        if (is_fence(line)) in_code = !in_code;
        if (!in_code && line.starts_with("## ")) {
            finish();
            const std::string title = trimmed(line.substr(3));
            if (hints.size() == rungs.size())
                fail("there are exactly four sections, \"" + title + "\" is a fifth");
            if (title != rungs[hints.size()])
                fail("the section must be \"" + std::string(rungs[hints.size()]) + "\" (got \"" + title +
                     "\")");
            hints.push_back({title, {}});
        } else if (!hints.empty()) {
            hints.back().text += line + "\n";
        } else if (!trimmed(line).empty() && !line.starts_with("# ")) {
            fail("there is text before the section \"Nudge\"");
        }
    }
    ++number;
    finish();
    if (hints.size() < rungs.size())
        fail("the file ends without the section \"" + std::string(rungs[hints.size()]) + "\"");
    return hints;
}

} // namespace catalogue
