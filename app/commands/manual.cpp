#include "app/commands.h"
#include "app/declare.h"

#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

/// Text as roff shows it letter by letter: a hyphen stays what a terminal can copy, and no line is a request.
std::string roff(std::string_view text) {
    std::string result;
    for (const char letter : text) {
        if (letter == '-' || letter == '\\')
            result += letter == '-' ? "\\-" : "\\e";
        else if ((letter == '.' || letter == '\'') && (result.empty() || result.back() == '\n'))
            result += std::string("\\&") + letter;
        else
            result += letter;
    }
    return result;
}

std::string bold(std::string_view text) {
    return "\\fB" + roff(text) + "\\fR";
}

std::string italic(std::string_view text) {
    return "\\fI" + roff(text) + "\\fR";
}

/// "ID" or "[ID]", "--seed NUMBER", "-v, --verbose".
std::string heading(const OptionWords& option) {
    if (option.positional)
        return option.required ? italic(option.names) : fmt::format("[{}]", italic(option.names));
    std::string names;
    for (const char letter : option.names)
        names += letter == ',' ? std::string(", ") : std::string(1, letter);
    return bold(names) + (option.value.empty() ? "" : " " + italic(option.value));
}

std::string described(const OptionWords& option) {
    return fmt::format(".TP\n{}\n{}\n", heading(option), roff(option.says));
}

std::string about_command(const Command& command, std::size_t common) {
    const std::vector<OptionWords> options = options_of(command.declare);
    std::string line = bold(command.name);
    std::string rows;
    for (std::size_t i = 0; i + common < options.size(); ++i) {
        if (options[i].positional) line += " " + heading(options[i]);
        rows += described(options[i]);
    }
    return fmt::format(".SS {}\n{}.\n{}", line, roff(command.says), rows);
}

std::string manual(std::string_view version) {
    const std::vector<OptionWords> common = options_of(declare_nothing);
    std::string text = fmt::format(".TH ENGINE 1 \"\" \"engine {}\" \"User Commands\"\n", version);
    text += fmt::format(".SH NAME\nengine \\- {}\n", roff(purpose));
    text += ".SH SYNOPSIS\n" + bold("engine") + " [" + italic("COMMAND") + "] [" + italic("OPTION") +
            "...]\n.br\n" + bold("engine init") + " " + italic("DIR") + "\n";
    text += ".SH DESCRIPTION\n" + roff(alone) +
            "\nIt compiles a learner's file, runs it in a process of its own, compares it with a trusted "
            "reference,\nand names the mistake that was made.\n";
    text += ".SH COMMANDS\n";
    for (const Command& command : commands())
        if (!command.says.empty()) text += about_command(command, common.size());
    text += ".SH COMMON OPTIONS\n";
    for (const OptionWords& option : common)
        text += described(option);
    text += ".SH EXIT STATUS\n";
    for (const ExitMeaning& each : exit_meanings)
        text += fmt::format(".TP\n{}\n{}\n", static_cast<int>(each.code), roff(each.means));
    text += ".SH FILES\n.TP\n" + italic(".engine/progress.db") +
            "\nin a workspace: attempts, hints and stages\n.TP\n" + italic("$XDG_CACHE_HOME/engine") +
            "\nwhat was compiled\n.TP\n" + italic("$XDG_CONFIG_HOME/engine/config.json") +
            "\nfurther collections of problems, as docs/package\\-format.md says\n";
    text += ".SH ENVIRONMENT\n.TP\n" + bold("ENGINE_CONTENT") +
            "\na folder with a collection of problems, used besides the engine's own\n";
    return text;
}

} // namespace

ExitCode run_manual(Context& context) {
    std::cout << manual(context.layout().version);
    return ExitCode::accepted;
}

} // namespace app
