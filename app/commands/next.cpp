#include "app/commands.h"
#include "app/open_questions.h"

#include <fmt/format.h>
#include <iostream>

namespace app {

ExitCode run_next(Context& context) {
    const std::optional<std::string> here = context.current_id();
    if (here && !context.is_accepted(*here)) {
        std::string text = fmt::format("{} is not accepted yet.", *here);
        if (const auto other = context.next_open(*here); other && *other != *here)
            text += fmt::format(" To leave it for later: {}", context.call()("select " + *other));
        std::cout << context.fitted(text + "\n");
        return run_overview(context);
    }
    if (const auto next = here ? context.next_open(*here) : std::nullopt) context.select(*next);
    std::cout << context.fitted(open_questions_line(context));
    return run_overview(context);
}

} // namespace app
