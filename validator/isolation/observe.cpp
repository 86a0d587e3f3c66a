#include "isolation/observe.h"

#include "isolation/landlock.h"
#include "isolation/worker.h"
#include "model/errors.h"
#include "system/process.h"

#include <algorithm>
#include <fcntl.h>
#include <initializer_list>
#include <map>
#include <sstream>
#include <string_view>

namespace isolation {
namespace {

using Answers = std::map<std::string, std::string>;

bool refused(const Answers& answers, std::initializer_list<const char*> acts) {
    return std::ranges::all_of(acts, [&](const char* act) {
        const auto answer = answers.find(act);
        return answer != answers.end() && answer->second != "done";
    });
}

model::IsolationLevel level_of(const Answers& answers) {
    const bool calls = refused(answers, {"socket", "unix_socket", "fork", "ptrace_parent", "signal_parent",
                                         "prlimit_parent", "unshare", "memfd", "io_uring", "address_space"});
    const bool files = refused(answers, {"read_host_file", "see_host_folders", "write_file", "exec"});
    if (!calls) return model::IsolationLevel::E;
    return files ? model::IsolationLevel::C : model::IsolationLevel::D;
}

} // namespace

model::Isolation observe(const std::filesystem::path& canary) {
    const sys::Fd program(open(canary.c_str(), O_RDONLY | O_CLOEXEC));
    if (!program)
        throw model::EnvironmentError("cannot open " + canary.string() +
                                      ", which tests the isolation; build the engine again");
    sys::Command command;
    command.program = "canary";
    command.program_fd = program.get();
    command.confinement = confine_worker({{}, program.get(), 0, false});
    const sys::RunOutcome outcome = sys::run(command, {std::chrono::seconds(5), 1 << 16});

    model::Isolation isolation;
    Answers answers;
    std::istringstream lines(outcome.output);
    for (std::string act, answer; lines >> act >> answer;) {
        answers[act] = answer;
        (answer == "done" ? isolation.missing : isolation.observed)
            .push_back(act + (answer == "done" ? " was possible" : ": " + answer));
    }
    if (!outcome.ok() && !outcome.exit.signalled && outcome.exit.code == 1)
        isolation.missing.emplace_back("the worker runs as root");
    if (landlock_abi() == 0) isolation.missing.emplace_back("Landlock: not in this kernel");
    isolation.missing.emplace_back("namespaces: not used by this version");
    isolation.level = level_of(answers);
    return isolation;
}

} // namespace isolation
