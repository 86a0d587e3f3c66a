#include "app/commands.h"
#include "app/declare.h"
#include "report/formats.h"

#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string all_command_names() {
    std::vector<std::string> names;
    for (const Command& command : commands())
        if (!command.says.empty()) names.emplace_back(command.name);
    return joined(names);
}

std::string problem_ids(const Context& context) {
    std::vector<std::string> ids;
    for (const model::Problem& problem : context.curriculum().problems)
        ids.push_back(problem.id);
    return joined(ids);
}

std::string all_format_names() {
    std::vector<std::string> names;
    for (const report::Format& format : report::formats())
        names.emplace_back(format.name);
    return joined(names);
}

/// One case of a shell script a command: `test) options="--from --format …" ;;`.
std::string options_of_each() {
    std::string cases;
    for (const Command& command : commands()) {
        if (command.says.empty()) continue;
        std::string names;
        for (const OptionWords& option : options_of(command.declare))
            if (!option.positional) names += option.names + ",";
        for (char& letter : names)
            if (letter == ',') letter = ' ';
        cases += fmt::format("        {}) options=\"{}--help\" ;;\n", command.name, names);
    }
    return cases;
}

constexpr std::string_view bash = R"(_engine() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" options=""
    case "$before" in
        --from|--output|init) COMPREPLY=($(compgen -f -- "$word")); return ;;
        --format) COMPREPLY=($(compgen -W "{3}" -- "$word")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        --device) COMPREPLY=($(compgen -W "auto cpu cuda emulated" -- "$word")); return ;;
        --require-isolation) COMPREPLY=($(compgen -W "A B C D E" -- "$word")); return ;;
        completion) COMPREPLY=($(compgen -W "bash zsh" -- "$word")); return ;;
    esac
    case "${{COMP_WORDS[1]}}" in
{2}    esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{0}" -- "$word"))
    elif [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    else
        COMPREPLY=($(compgen -W "{1}" -- "$word"))
    fi
}}
complete -F _engine engine ./engine
)";

constexpr std::string_view zsh = R"(#compdef engine
_engine() {{
    local -a commands problems
    local options=""
    commands=({0})
    problems=({1})
    case "${{words[CURRENT-1]}}" in
        --from|--output|init) _files; return ;;
        --format) compadd {3}; return ;;
        --color) compadd auto always never; return ;;
        --device) compadd auto cpu cuda emulated; return ;;
        --require-isolation) compadd A B C D E; return ;;
        completion) compadd bash zsh; return ;;
    esac
    case "${{words[2]}}" in
{2}    esac
    if (( CURRENT == 2 )); then
        compadd -a commands
    elif [[ "${{words[CURRENT]}}" == -* ]]; then
        compadd -- ${{=options}}
    else
        compadd -a problems
    fi
}}
if [ "$funcstack[1]" = _engine ]; then
    _engine "$@"
else
    compdef _engine engine
fi
)";

} // namespace

ExitCode run_completion(Context& context) {
    const std::string_view shape = context.options().shell == "bash" ? bash : zsh;
    std::cout << fmt::format(fmt::runtime(shape), all_command_names(), problem_ids(context),
                             options_of_each(), all_format_names());
    return ExitCode::accepted;
}

} // namespace app
