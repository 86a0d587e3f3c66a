#include "app/commands.h"

#include "app/declare.h"

namespace app {

const std::vector<Command>& commands() {
    static const std::vector<Command> table{
        {"init", "make a folder for your work, or restore what is missing from one", declare_folder,
         run_init},
        {"list", "the curriculum, and where you are in it", declare_nothing, run_list},
        {"show", "what a problem asks of you", declare_show, run_show},
        {"next", "go to the next problem that is not accepted", declare_nothing, run_next},
        {"select", "go to a problem of your choice", declare_needed_id, run_select},
        {"test", "compile your file, run the visible tests, name the mistake", declare_judging, run_test},
        {"watch", "test on every save, until you stop it", declare_watching, run_watch},
        {"hint", "the next hint (four a problem), or one that you have seen", declare_hint, run_hint},
        {"submit-build", "the graded run: all tests, both builds, then the questions", declare_submitting,
         run_submit_build},
        {"submit-justification", "answer the questions about what you built", declare_justification,
         run_submit_justification},
        {"try", "a small program of your own, with your submission", declare_try, run_try},
        {"visualize", "pictures of what your code computes or learned", declare_pictures, run_visualize},
        {"harden", "a bug to find: your accepted program, with one change", declare_harden, run_harden},
        {"submit-fix", "the repaired program, judged as any other", declare_judging, run_submit_fix},
        {"debug", "the first failing call of a visible test again, in gdb", declare_debug, run_debug},
        {"replay", "judge again as a report says: the same tests, seed and inputs", declare_replay,
         run_replay},
        {"bench", "how fast a CUDA program is on a GPU, and what its kernels move, line by line",
         declare_bench, run_bench},
        {"status", "your progress", declare_nothing, run_status},
        {"reset", "put the starter back, keeping a copy of your file", declare_needed_id, run_reset},
        {"solution", "the reference, once your own solution is accepted", declare_id, run_solution},
        {"verify", "authors: prove that problems are sound", declare_verify, run_verify, true},
        {"new", "authors: begin a problem, as a small one that works", declare_new_id, run_new, true},
        {"mistake", "authors: print a known mistake's program, edit it, or store one", declare_mistake,
         run_mistake, true},
        {"prepare", "build what problems are judged with, ahead of time", declare_prepare, run_prepare, true},
        {"doctor", "what this machine can do", declare_doctor, run_doctor},
        {"grade", "instructors: judge the submissions of a class into a gradebook", declare_grade, run_grade},
        {"regrade",
         "instructors: judge again what a changed test, limit or engine touches, or set a grade by hand",
         declare_regrade, run_regrade},
        {"similarity", "instructors: pairs of programs that are worth reading side by side",
         declare_similarity, run_similarity},
        {"help", "what there is, or what a command does and takes", declare_topic, run_help},
        {"completion", "print completions for bash or zsh", declare_shell, run_completion},
        {"manual", "", declare_nothing, run_manual},
        {"grade-task", "", declare_grade_task, run_grade_task},
    };
    return table;
}

} // namespace app
