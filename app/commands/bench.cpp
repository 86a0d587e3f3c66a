#include "app/commands.h"
#include "app/judging.h"
#include "model/errors.h"
#include "report/traffic.h"

namespace app {

ExitCode run_bench(Context& context) {
    const model::Problem problem = context.problem();
    if (problem.language != model::Language::cuda)
        throw model::UsageError("bench counts what CUDA kernels move, and " + problem.id +
                                " is a C++ problem; its time is shown by: " +
                                context.call()("test " + problem.id + " --timings"));
    return judge_and_show(context, report::render_traffic);
}

} // namespace app
