#include "app/command_line.h"
#include "app/commands.h"
#include "app/log.h"
#include "app/stdout.h"
#include "catalogue/catalogue.h"
#include "judge.h"
#include "model/errors.h"
#include "model/shell_word.h"
#include "system/fd.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <fcntl.h>
#include <fmt/format.h>
#include <iostream>
#include <new>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <system_error>
#include <unistd.h>

namespace app {
namespace {

namespace fs = std::filesystem;

/// Where this installation lies: layout.json beside the program.
build::Layout find_layout() {
    std::error_code error;
    const fs::path self = fs::read_symlink("/proc/self/exe", error);
    if (error)
        throw model::EnvironmentError(
            "cannot find the engine's own folder through /proc/self/exe: " + error.message() +
            "; is /proc mounted? As root: mount -t proc proc /proc");
    return build::read_layout(self.parent_path() / "layout.json");
}

/// Which program, and what was typed: the first question about a log.
std::string first_line_of_log(const build::Layout& layout, int count, char** values) {
    std::string line = "engine " + layout.full_version() + ", called with:";
    for (int i = 1; i < count; ++i)
        line += " " + model::shell_word(values[i]);
    return line;
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
        // Help is printed as soon as it is asked for, so nothing has refused a word that is no command yet.
        if (cli.get_subcommands().empty() && !cli.remaining().empty())
            throw model::UsageError(refusal(CLI::ExtrasError(cli.remaining()), cli.remaining(), call));
        cli.exit(asked_for_help);
        return ExitCode::accepted;
    } catch (const CLI::ParseError& error) {
        throw model::UsageError(refusal(error, {values + 1, values + count}, call));
    }

    const build::Layout layout = find_layout();
    if (version) {
        std::cout << "engine " << layout.full_version() << "\n";
        return ExitCode::accepted;
    }
    log::configure(options, first_line_of_log(layout, count, values));
    const auto chosen = cli.get_subcommands();
    for (const Command& command : commands())
        if (!chosen.empty() && chosen.front()->get_name() == command.name) {
            Context context(options, layout, call, here, command.author);
            return command.run(context);
        }
    Context context(options, layout, call, here, false);
    return run_overview(context);
}

/// What to do where the kernel says no.
std::string_view remedy(int error) {
    switch (error) {
    case EAGAIN: return "close other programs or raise the limit on processes and threads (ulimit -u)";
    case EMFILE:
    case ENFILE: return "raise the limit on open files (ulimit -n)";
    case ENOMEM: return "close other programs or raise the limit on memory (ulimit -v)";
    default: return "try again";
    }
}

/// A closed stdin, stdout or stderr would give its number to the next file we open, and our words would end
/// up in that file. Opened for reading, so that writing there still fails.
void occupy_standard_descriptors() {
    sys::Fd fd;
    do
        fd = sys::Fd(open("/dev/null", O_RDONLY | O_CLOEXEC));
    while (fd && fd.get() <= 2 && fd.release() >= 0);
}

/// Where even an exception finds no memory, the C++ library gives up. At least that is said.
[[noreturn]] void give_up() {
    constexpr std::string_view words =
        "engine: there is not enough memory to continue; close other programs or raise "
        "the limit (ulimit -v); if that does not help, please report it\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, words.data(), words.size());
    _exit(static_cast<int>(ExitCode::not_judged));
}

/// A stack that is too small would end us without a word.
void require_stack() {
    constexpr rlim_t least = 1 << 20;
    rlimit limit{};
    if (getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < least)
        throw model::EnvironmentError("the limit on the stack is " + std::to_string(limit.rlim_cur >> 10) +
                                      " KiB, and at least 1024 are needed; raise it with ulimit -s 8192");
}

/// With so few descriptors anything may fail to open, and the sentence on it does not know why.
std::string_view few_descriptors() {
    constexpr rlim_t enough = 256;
    rlimit limit{};
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < enough
               ? "; few files may be open at once here, which may be the reason: raise that limit (ulimit -n "
                 "1024)"
               : "";
}

/// The one place where what stopped us becomes words and an exit code.
ExitCode guarded(int count, char** values) {
    try {
        require_stack();
        const ExitCode code = run(count, values);
        flush_stdout();
        return code;
    } catch (const model::UsageError& error) {
        log::error(error.what());
        return ExitCode::usage;
    } catch (const model::ContentError& error) {
        log::error(error.what());
        return ExitCode::content;
    } catch (const model::EnvironmentError& error) {
        log::error(error.what() + std::string(few_descriptors()));
        return ExitCode::not_judged;
    } catch (const judge::Interrupted&) {
        log::error("interrupted; nothing was recorded");
        return ExitCode::interrupted;
    } catch (const std::bad_alloc&) {
        log::error("there is not enough memory; close other programs or raise the limit (ulimit -v)");
        return ExitCode::not_judged;
    } catch (const fs::filesystem_error& error) {
        log::error(error.what());
        return ExitCode::not_judged;
    } catch (const std::system_error& error) {
        log::error(fmt::format("the system refused something: {}; {}", error.code().message(),
                               remedy(error.code().value())));
        return ExitCode::not_judged;
    } catch (const std::exception& error) {
        log::error(
            fmt::format("internal error: {}; please report it, with a log (--log-file FILE)", error.what()));
        return ExitCode::not_judged;
    }
}

} // namespace
} // namespace app

int main(int count, char** values) {
    std::set_terminate(app::give_up);
    std::signal(SIGPIPE, SIG_IGN); // a closed pipe is a failed write, said in words
    std::signal(SIGXFSZ, SIG_IGN); // and so is a file that may not grow
    app::occupy_standard_descriptors();
    app::log::begin();
    return static_cast<int>(app::guarded(count, values));
}
