#include "app/commands.h"
#include "app/judging.h"

namespace app {

ExitCode run_submit_build(Context& context) {
    return judge_and_report(context, true, "submit-build");
}

} // namespace app
