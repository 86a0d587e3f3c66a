#include "app/commands.h"
#include "app/judging.h"

namespace app {

ExitCode run_test(Context& context) {
    return judge_and_report(context, false, "test");
}

} // namespace app
