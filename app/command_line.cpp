#include "app/command_line.h"

#include "app/commands.h"
#include "app/declare.h"
#include "text/nearest.h"

#include <algorithm>
#include <fmt/format.h>
#include <sstream>

namespace app {
namespace {

std::string exit_codes() {
    std::string text = "Exit codes:";
    for (const ExitMeaning& each : exit_meanings)
        text += fmt::format("{} {} {}", &each == exit_meanings.data() ? "" : ",", static_cast<int>(each.code),
                            each.means);
    return text + ".";
}

std::vector<std::string> command_names() {
    std::vector<std::string> names;
    for (const Command& command : commands())
        if (!command.says.empty()) names.emplace_back(command.name);
    return names;
}

/// "--seed", "-v": each by itself.
std::vector<std::string> option_names(void (*declare)(CLI::App&, Options&)) {
    std::vector<std::string> names{"--help"};
    for (const OptionWords& option : options_of(declare)) {
        std::istringstream words(option.positional ? "" : option.names);
        for (std::string name; std::getline(words, name, ',');)
            names.push_back(name);
    }
    return names;
}

std::string suggestion(const std::string& word, const std::vector<std::string>& known) {
    const auto near = text::nearest(word, known);
    return near ? "; did you mean " + *near + "?" : "";
}

/// What is wrong with an option that is none of the known ones, or empty.
std::string unknown_option(const std::string& command, const std::vector<std::string>& known,
                           const std::vector<std::string>& words) {
    for (const std::string& word : words) {
        const std::string name = word.substr(0, word.find('='));
        if (!name.starts_with("--") || name == "--" || std::ranges::find(known, name) != known.end())
            continue;
        return command + " takes no option " + name + suggestion(name, known);
    }
    return "";
}

/// CLI11 says "The following argument was not expected: extra" and "ID: At Most 1 required but received 2".
std::string in_our_words(const CLI::ParseError& error, const std::string& command) {
    std::string said = error.what();
    if (said.starts_with("The following argument"))
        return command + " does not take" + said.substr(said.find(':') + 1);
    if (said.starts_with("ID: At Most")) return command + " takes one problem at a time";
    return said;
}

} // namespace

void declare_commands(CLI::App& cli, Options& options) {
    cli.description(fmt::format("engine: {}.\n{}", purpose, alone));
    cli.footer(exit_codes());
    cli.require_subcommand(0, 1);
    declare_common(cli, options);
    for (const Command& command : commands()) {
        CLI::App* sub = cli.add_subcommand(std::string(command.name), std::string(command.says));
        command.declare(*sub, options);
        declare_common(*sub, options);
        sub->footer(exit_codes());
        if (command.says.empty()) sub->group("");
    }
}

std::string refusal(const CLI::ParseError& error, const std::vector<std::string>& words, const Call& call) {
    const auto first =
        std::ranges::find_if(words, [](const std::string& word) { return !word.starts_with("-"); });
    const auto command = std::ranges::find_if(
        commands(), [&](const Command& each) { return first != words.end() && each.name == *first; });
    if (first != words.end() && command == commands().end())
        return "there is no command called '" + *first + "'" + suggestion(*first, command_names()) + "; " +
               call("help") + " lists what there is";
    const bool none = command == commands().end();
    std::vector<std::string> known = option_names(none ? declare_nothing : command->declare);
    if (none) known.emplace_back("--version");
    const std::string name = none ? "engine" : *first;
    std::string what = unknown_option(name, known, words);
    if (what.empty()) what = in_our_words(error, name);
    return what + (what.ends_with('?') ? " See: " : "; see: ") + call(none ? "help" : "help " + name);
}

} // namespace app
