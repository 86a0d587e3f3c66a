#include "app/commands.h"
#include "app/interrupts.h"
#include "app/judging.h"
#include "app/submission.h"
#include "app/watching/file_watch.h"
#include "app/watching/keys.h"
#include "model/errors.h"
#include "text/clean.h"

#include <array>
#include <cerrno>
#include <ctime>
#include <fmt/format.h>
#include <iostream>
#include <optional>
#include <poll.h>
#include <unistd.h>

namespace app {
namespace {

constexpr std::string_view clear_screen = "\x1b[H\x1b[2J";

/// What ended a wait.
struct Woken {
    bool interrupted = false;
    bool saved = false;
    std::string keys;
};

Woken wait(watching::FileWatch& files, watching::Keys* keys, int interrupts) {
    while (true) {
        std::array<pollfd, 3> waiting{{{files.fd(), POLLIN, 0},
                                       {interrupts, POLLIN, 0},
                                       {keys != nullptr ? STDIN_FILENO : -1, POLLIN, 0}}};
        if (keys != nullptr) keys->prepare();
        const auto patience = files.patience();
        const int timeout = patience ? static_cast<int>(patience->count()) : -1;
        if (poll(waiting.data(), waiting.size(), timeout) < 0 && errno != EINTR)
            throw model::EnvironmentError("cannot wait for files to change");
        Woken woken{.interrupted = waiting[1].revents != 0,
                    .saved = files.changed(),
                    .keys = waiting[2].revents != 0 ? keys->read() : ""};
        if (woken.interrupted || woken.saved || !woken.keys.empty()) return woken;
    }
}

/// A test on a screen of its own; the verdict comes last, and then what can be done here.
void test_again(Context& context, const model::Problem& problem, bool with_keys) {
    context.measure_terminal();
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    localtime_r(&now, &parts);
    const std::string file = context.shown_file(problem, problem.files.front());
    if (context.out().is_terminal && !context.out().plain) std::cout << clear_screen;
    std::cout << context.fitted(fmt::format("{} at {:02}:{:02}:{:02}\n\n", file, parts.tm_hour, parts.tm_min,
                                            parts.tm_sec))
              << std::flush;
    try {
        judge_and_report(context, false, "test");
    } catch (const MissingSubmission& missing) { // an editor may be about to put it back
        std::cout << context.fitted(text::printable(missing.what()) + "\n");
    }
    if (!with_keys) std::cout << context.fitted("\nWaiting for the next change; Ctrl-C ends it.\n");
    std::cout << std::flush;
}

void say_keys(const Context& context) {
    std::cout << context.fitted("\nEach save tests again. Keys: h hint, l list, n next, r run, q quit\n")
              << std::flush;
}

/// The problem to go on with, or nothing, after saying why.
std::optional<std::string> next_problem(const Context& context, const std::string& id) {
    if (!context.is_accepted(id)) {
        std::cout << context.fitted(
            fmt::format("\n{} is not accepted yet. To hand it in, in another terminal: {}\n", id,
                        context.call()("submit-build " + id)));
        return std::nullopt;
    }
    auto next = context.next_open(id);
    if (!next) std::cout << "\nAll problems are accepted. Well done.\n";
    return next;
}

} // namespace

ExitCode run_watch(Context& context) {
    const Interrupts interrupts;
    std::optional<watching::Keys> keys;
    if (context.out().is_terminal && ::isatty(STDIN_FILENO) == 1) keys.emplace();
    std::string id = context.problem_id();
    while (true) {
        context.mean(id);
        const model::Problem problem = context.problem();
        watching::FileWatch files(context.learner_file(problem, problem.files.front()).parent_path(),
                                  problem.files);
        bool test = true;
        std::optional<std::string> next;
        while (!next) {
            if (test) test_again(context, problem, keys.has_value());
            if (keys) say_keys(context);
            const Woken woken = wait(files, keys ? &*keys : nullptr, interrupts.fd());
            if (woken.interrupted) return ExitCode::interrupted;
            test = woken.saved;
            for (const char key : woken.keys) {
                if (key == 'q') return ExitCode::accepted;
                test = test || key == 'r';
                if (key == 'n') next = next_problem(context, id);
                if (key == 'h' || key == 'l') std::cout << "\n";
                if (key == 'h') run_hint(context);
                if (key == 'l') run_list(context);
            }
        }
        id = *next;
        context.select(id);
    }
}

} // namespace app
