#include "app/commands.h"
#include "app/earlier.h"
#include "app/judging.h"

namespace app {

ExitCode run_replay(Context& context) {
    const Earlier earlier = read_earlier(context.options().report, context.layout().schemas);
    Options options = context.options();
    options.ids = {earlier.problem};
    options.seed = earlier.seed;
    options.thorough = earlier.thorough;
    Context again(options, context.layout(), context.call(), context.here(), false);
    return judge_and_report(again, earlier.graded, "", [&](const Context&, model::Judgement& judgement) {
        for (const std::string& line : changes(earlier, judgement))
            context.warn("since this report was written, " + line);
        judgement.stage = earlier.stage;
        judgement.questions.clear();
        judgement.next = comparison(earlier, judgement);
    });
}

} // namespace app
