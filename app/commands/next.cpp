#include "app/commands.h"

#include <fmt/format.h>
#include <iostream>

namespace app {

ExitCode run_next(Context& context) {
    const std::optional<std::string> here = context.current_id();
    if (here && !context.is_accepted(*here)) {
        const auto other = context.next_open(*here);
        std::cout << context.fitted(fmt::format("{} is not accepted yet.", *here));
        if (other && *other != *here)
            std::cout << context.fitted(
                fmt::format(" To leave it for later: {}", context.call()("select " + *other)));
        std::cout << "\n";
        return run_overview(context);
    }
    if (const auto next = here ? context.next_open(*here) : std::nullopt) context.select(*next);
    return run_overview(context);
}

} // namespace app
