#include "app/commands.h"

namespace app {

ExitCode run_select(Context& context) {
    context.select(context.problem_id());
    return run_overview(context);
}

} // namespace app
