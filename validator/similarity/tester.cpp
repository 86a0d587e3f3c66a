#include "similarity/tester.h"

#include "build/scratch.h"
#include "isolation/compiler.h"
#include "model/errors.h"
#include "system/process.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>
#include <unistd.h>

namespace similarity {
namespace {

namespace fs = std::filesystem;

/// The number of programs that one run compares with all that follow. It is small enough for a run of seconds
/// even if a class of thousands has nearly the same program.
constexpr std::size_t programs_a_run = 50;
/// Shorter matches are in every program of the language.
constexpr const char* min_tokens = "16";
/// sim prints the longest matches first, so only the shortest are cut off.
constexpr sys::RunLimits limits{.wall = std::chrono::minutes(5), .output_bytes = 32 << 20};

/// Positions of the programs, those from earlier last; `compared` becomes the number of the others.
std::vector<std::uint32_t> earlier_last(const std::vector<Program>& programs, std::size_t& compared) {
    std::vector<std::uint32_t> order;
    for (std::uint32_t i = 0; i < programs.size(); ++i)
        order.push_back(i);
    const auto rest = std::stable_partition(order.begin(), order.end(), [&](std::uint32_t i) {
        return std::ranges::any_of(programs[i].origins,
                                   [](Origin origin) { return origin != Origin::earlier; });
    });
    compared = static_cast<std::size_t>(rest - order.begin());
    return order;
}

sys::Command command_for(const build::Workshop& workshop, const fs::path& tester, const fs::path& scratch,
                         std::size_t begin, std::size_t end, std::size_t count) {
    isolation::CompilerAccess access;
    access.compilers = {tester};
    access.read = {scratch};
    access.hidden = build::hidden_from_compilers(workshop);
    sys::Command command;
    command.program = tester;
    // Each pair by itself, as positions, none with itself.
    command.arguments = {"-e", "-n", "-s", "-T", "-w", "120", "-r", min_tokens};
    for (std::size_t i = begin; i < count; ++i) {
        if (i == end) command.arguments.emplace_back("/");
        command.arguments.push_back(std::to_string(i));
    }
    command.environment = build::compiler_environment(scratch);
    command.directory = scratch;
    command.confinement = isolation::confine_compiler(access);
    return command;
}

std::string trouble_of(const sys::RunOutcome& outcome) {
    if (outcome.output_exceeded) return "there are more matches than can be listed: only the longest are";
    if (outcome.timed_out) return "the similarity tester needed too long, so some pairs were not compared";
    if (!outcome.ok()) return "the similarity tester failed, so some pairs were not compared";
    return {};
}

} // namespace

fs::path find_tester() {
    const char* search = std::getenv("PATH");
    std::istringstream folders(search == nullptr ? "/usr/bin:/bin" : search);
    for (std::string folder; std::getline(folders, folder, ':');)
        if (fs::path program = fs::path(folder) / "sim_c++";
            program.is_absolute() && access(program.c_str(), X_OK) == 0)
            return program;
    throw model::EnvironmentError(
        "comparing programs needs Debian's similarity-tester, and there is no sim_c++ "
        "here; install it with: sudo apt-get install similarity-tester");
}

Found find_matches(const build::Workshop& workshop, const fs::path& tester,
                   const std::vector<Program>& programs,
                   const std::function<void(std::size_t, std::size_t)>& progress, int cancel_fd) {
    std::size_t compared = 0;
    const std::vector<std::uint32_t> order = earlier_last(programs, compared);
    const build::Scratch scratch(workshop.cache().folder());
    std::vector<std::size_t> sizes;
    for (std::size_t i = 0; i < order.size(); ++i) {
        sizes.push_back(programs[order[i]].tokens.size());
        scratch.write(std::to_string(i), tokens_as_lines(programs[order[i]]));
    }

    Found found;
    for (std::size_t begin = 0; begin < compared; begin += programs_a_run) {
        progress(begin, compared);
        const std::size_t end = std::min(begin + programs_a_run, compared);
        const sys::RunOutcome outcome = sys::run(
            command_for(workshop, tester, scratch.path(), begin, end, order.size()), limits, cancel_fd);
        if (outcome.interrupted) throw model::Interrupted();
        if (std::string trouble = trouble_of(outcome); !trouble.empty()) found.trouble = std::move(trouble);
        for (Match match : read_matches(outcome.output, sizes)) {
            match.first = order[match.first];
            match.second = order[match.second];
            found.matches.push_back(match);
        }
    }
    return found;
}

} // namespace similarity
