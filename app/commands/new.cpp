#include "app/commands.h"
#include "app/scaffold/scaffold.h"

#include <fmt/format.h>
#include <iostream>

namespace app {

ExitCode run_new(Context& context) {
    const std::string& id = context.options().ids.front();
    for (const std::filesystem::path& file : scaffold::make_problem(context.layout(), id))
        std::cout << context.shown(file) << "\n";
    std::cout << fmt::format("\n{0} is a small problem that works; it becomes yours blank by blank.\n"
                             "Next: {1} lists the blanks; docs/authoring.md tells how to fill them.\n",
                             id, context.call()("verify " + id));
    return ExitCode::accepted;
}

} // namespace app
