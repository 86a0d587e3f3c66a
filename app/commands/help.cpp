#include "app/command_line.h"
#include "app/commands.h"
#include "model/errors.h"
#include "text/nearest.h"

#include <iostream>

namespace app {

ExitCode run_help(Context& context) {
    Options ignored;
    CLI::App cli("", "engine");
    declare_commands(cli, ignored);
    const std::string& wanted = context.options().topic;
    if (wanted.empty()) {
        std::cout << cli.help();
        return ExitCode::accepted;
    }
    std::vector<std::string> names;
    for (const Command& command : commands())
        if (!command.says.empty()) names.emplace_back(command.name);
    for (const CLI::App* command : cli.get_subcommands({}))
        if (command->get_name() == wanted) {
            std::cout << command->help("engine");
            return ExitCode::accepted;
        }
    const auto near = text::nearest(wanted, names);
    throw model::UsageError("there is no command called '" + wanted + "'" +
                            (near ? "; did you mean " + *near + "?" : "") + "; " + context.call()("help") +
                            " lists what there is");
}

} // namespace app
