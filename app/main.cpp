#include "app/command_line.h"
#include "app/commands.h"
#include "catalogue/catalogue.h"
#include "judge.h"
#include "model/errors.h"
#include "system/fd.h"
#include "text/clean.h"

#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <iostream>
#include <spdlog/sinks/stdout_color_sinks.h>
#include <spdlog/spdlog.h>

namespace app {
namespace {

namespace fs = std::filesystem;

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

ExitCode run(int count, char** values) {
    std::error_code ignored;
    const fs::path here = fs::current_path(ignored);
    const char* search = std::getenv("PATH");
    const Call call(typed_word(count > 0 ? values[0] : ""), here, search == nullptr ? "" : search);

    Options options;
    CLI::App cli("", "engine");
    declare_commands(cli, options);
    bool version = false;
    cli.add_flag("--version", version, "print the version and end");
    try {
        cli.parse(count, values);
    } catch (const CLI::Success& asked_for_help) {
        cli.exit(asked_for_help);
        return ExitCode::accepted;
    } catch (const CLI::ParseError& error) {
        throw model::UsageError(refusal(error, {values + 1, values + count}, call));
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
