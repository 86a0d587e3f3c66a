#include "app/commands.h"
#include "app/judging.h"
#include "model/errors.h"
#include "report/speed.h"
#include "report/traffic.h"

namespace app {

ExitCode run_bench(Context& context) {
    const model::Problem problem = context.problem();
    if (problem.language != model::Language::cuda)
        throw model::UsageError("bench measures CUDA kernels, and " + problem.id +
                                " is a C++ problem; its time is shown by: " +
                                context.call()("test " + problem.id + " --timings"));
    return measure_and_show(context, report::render_traffic, report::formats_of_bench());
}

} // namespace app
