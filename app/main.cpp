#include "app/commands.h"
#include "app/declare.h"
#include "catalogue/catalogue.h"
#include "judge.h"
#include "model/errors.h"
#include "system/fd.h"
#include "text/clean.h"
#include "text/nearest.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <fmt/format.h>
#include <iostream>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace app {
namespace {

namespace fs = std::filesystem;

const std::string about = "engine: " + std::string(purpose) + ".\n" + std::string(alone);

std::string exit_codes() {
    std::string text = "Exit codes:";
    for (const ExitMeaning& each : exit_meanings)
        text += fmt::format("{} {} {}", &each == exit_meanings.data() ? "" : ",", static_cast<int>(each.code),
                            each.means);
    return text + ".";
}

/// Where this installation lies: layout.json beside the program.
build::Layout find_layout() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (error) throw model::EnvironmentError("cannot find the engine's own folder: " + error.message());
    return build::read_layout(self.parent_path() / "layout.json");
}

void set_up_logging() {
    auto logger = spdlog::stderr_color_st("engine");
    logger->set_pattern("engine: %v");
    spdlog::set_default_logger(logger);
}

/// CLI11's words for a mistyped command, with a suggestion.
std::string usage_words(const CLI::ParseError& error, int count, char** values) {
    std::string words = error.what();
    std::vector<std::string> names;
    for (const Command& command : commands())
        names.emplace_back(command.name);
    for (int i = 1; i < count; ++i) {
        const std::string word = values[i];
        if (word.starts_with("-")) continue;
        if (std::find(names.begin(), names.end(), word) != names.end()) break;
        words = "there is no command called '" + word + "'";
        if (const auto near = text::nearest(word, names)) words += "; did you mean " + *near + "?";
        break;
    }
    return words;
}

ExitCode run(int count, char** values) {
    std::error_code ignored;
    const fs::path here = fs::current_path(ignored);
    const char* search = std::getenv("PATH");
    const Call call(typed_word(count > 0 ? values[0] : ""), here, search == nullptr ? "" : search);

    Options options;
    CLI::App cli(about, "engine");
    cli.footer(exit_codes());
    cli.require_subcommand(0, 1);
    declare_common(cli, options);
    bool version = false;
    cli.add_flag("--version", version, "print the version and end");
    for (const Command& command : commands()) {
        CLI::App* sub = cli.add_subcommand(std::string(command.name), std::string(command.says));
        command.declare(*sub, options);
        declare_common(*sub, options);
        sub->footer(exit_codes());
        if (command.says.empty()) sub->group("");
    }
    try {
        cli.parse(count, values);
    } catch (const CLI::Success& asked_for_help) {
        cli.exit(asked_for_help);
        return ExitCode::accepted;
    } catch (const CLI::ParseError& error) {
        throw model::UsageError(usage_words(error, count, values) + "; " + call("--help") +
                                " lists what there is");
    }

    const build::Layout layout = find_layout();
    if (version) {
        std::cout << "engine " << layout.version << "\n";
        return ExitCode::accepted;
    }
    const auto chosen = cli.get_subcommands();
    for (const Command& command : commands())
        if (!chosen.empty() && chosen.front()->get_name() == command.name) {
            Context context(options, layout, call, here, command.author);
            return command.run(context);
        }
    Context context(options, layout, call, here, false);
    return run_overview(context);
}

/// What was typed and what lies in files may be part of it: nothing of that moves the cursor.
void say(const std::exception& error) {
    spdlog::error("{}", text::printable(error.what()));
}

/// A closed stdin, stdout or stderr would give its number to the next file we open, and our words would end
/// up in that file. Opened for reading, so that writing there still fails.
void occupy_standard_descriptors() {
    sys::Fd fd;
    do
        fd = sys::Fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
    while (fd && fd.get() <= 2 && fd.release() >= 0);
}

/// The one place where what stopped us becomes words and an exit code.
ExitCode guarded(int count, char** values) {
    try {
        const ExitCode code = run(count, values);
        if (!std::cout.flush()) throw model::EnvironmentError("cannot write to stdout; is the disk full?");
        return code;
    } catch (const model::UsageError& error) {
        say(error);
        return ExitCode::usage;
    } catch (const model::ContentError& error) {
        say(error);
        return ExitCode::content;
    } catch (const model::EnvironmentError& error) {
        say(error);
        return ExitCode::not_judged;
    } catch (const judge::Interrupted&) {
        spdlog::error("interrupted; nothing was recorded");
        return ExitCode::interrupted;
    } catch (const std::exception& error) {
        spdlog::error("internal error: {}; please report it", error.what());
        return ExitCode::not_judged;
    }
}

} // namespace
} // namespace app

int main(int count, char** values) {
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is a failed write, said in words
    std::signal(SIGXFSZ, SIG_IGN); // and so is a file that may not grow
    app::occupy_standard_descriptors();
    app::set_up_logging();
    return static_cast<int>(app::guarded(count, values));
}
