#include "app/newest.h"

namespace app {

std::string named_or_newest_accepted(const Context& context) {
    const store::Store* const store = context.progress();
    if (!context.options().ids.empty() || store == nullptr) return context.problem_id();
    std::optional<store::Attempt> newest;
    for (const model::Problem& problem : context.curriculum().problems)
        if (auto attempt = store->accepted_attempt(problem.id);
            attempt && (!newest || attempt->started >= newest->started))
            newest = std::move(attempt);
    return newest ? newest->problem : context.problem_id();
}

} // namespace app
