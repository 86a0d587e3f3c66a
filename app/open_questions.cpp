#include "app/open_questions.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace app {

std::vector<std::string> problems_with_open_questions(const Context& context) {
    std::vector<std::string> ids;
    const store::Store* store = context.progress();
    if (store == nullptr) return ids;
    for (const model::Problem& problem : context.curriculum().problems) {
        const auto stages = store->stages(problem.id);
        const auto reached = [&](store::Stage stage) {
            return std::ranges::find(stages, stage) != stages.end();
        };
        if (reached(store::Stage::build) && !reached(store::Stage::justify)) ids.push_back(problem.id);
    }
    return ids;
}

std::string open_questions_line(const Context& context) {
    const std::vector<std::string> ids = problems_with_open_questions(context);
    if (ids.empty()) return "";
    const std::string command = "submit-justification " + (ids.size() == 1 ? ids.front() : "ID");
    return fmt::format("Questions wait for you in {}: {}\n", fmt::join(ids, ", "), context.call()(command));
}

} // namespace app
