#pragma once

#include "app/context.h"
#include "app/exit_code.h"

#include <string_view>
#include <vector>

namespace CLI {
class App; // its header is large, and only what declares options needs it
}

namespace app {

/// What the engine is for, and what it does when no command is given.
inline constexpr std::string_view purpose =
    "understand the embedding layer of a language model by writing it";
inline constexpr std::string_view alone = "Without a command it says where you are and what to do next.";

/// One row of the command line.
struct Command {
    std::string_view name;
    std::string_view says; ///< empty: for our own scripts, not listed anywhere
    void (*declare)(CLI::App& command, Options& options);
    ExitCode (*run)(Context& context);
    bool author = false; ///< it works on the collection in the current folder, where that is one
};

/// Every command. A new one is a file in commands/ and a row here.
const std::vector<Command>& commands();

/// `engine` alone: where you are and the one next thing to do.
ExitCode run_overview(Context& context);

// One file each in commands/.
ExitCode run_init(Context& context);
ExitCode run_list(Context& context);
ExitCode run_manual(Context& context);
ExitCode run_show(Context& context);
ExitCode run_next(Context& context);
ExitCode run_select(Context& context);
ExitCode run_test(Context& context);
ExitCode run_watch(Context& context);
ExitCode run_hint(Context& context);
ExitCode run_submit_build(Context& context);
ExitCode run_submit_justification(Context& context);
ExitCode run_harden(Context& context);
ExitCode run_submit_fix(Context& context);
ExitCode run_try(Context& context);
ExitCode run_visualize(Context& context);
ExitCode run_debug(Context& context);
ExitCode run_replay(Context& context);
ExitCode run_status(Context& context);
ExitCode run_reset(Context& context);
ExitCode run_solution(Context& context);
ExitCode run_verify(Context& context);
ExitCode run_new(Context& context);
ExitCode run_mistake(Context& context);
ExitCode run_prepare(Context& context);
ExitCode run_doctor(Context& context);
ExitCode run_bench(Context& context);
ExitCode run_grade(Context& context);
ExitCode run_grade_task(Context& context);
ExitCode run_regrade(Context& context);
ExitCode run_similarity(Context& context);
ExitCode run_help(Context& context);
ExitCode run_completion(Context& context);

} // namespace app
