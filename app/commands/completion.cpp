#include "app/commands.h"

#include <fmt/format.h>
#include <iostream>

namespace app {
namespace {

std::string command_names() {
    std::string names;
    for (const Command& command : commands())
        names += (names.empty() ? "" : " ") + std::string(command.name);
    return names;
}

std::string problem_ids(const Context& context) {
    std::string ids;
    for (const model::Problem& problem : context.curriculum().problems)
        ids += (ids.empty() ? "" : " ") + problem.id;
    return ids;
}

constexpr std::string_view options =
    "--from --format --output --seed --require-isolation --color --timings --exit-zero --verbose --help";

constexpr std::string_view bash = R"(_engine() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}"
    case "$before" in
        --from|--output) COMPREPLY=($(compgen -f -- "$word")); return ;;
        --format) COMPREPLY=($(compgen -W "console json junit github github-summary" -- "$word")); return ;;
        --color) COMPREPLY=($(compgen -W "auto always never" -- "$word")); return ;;
        --require-isolation) COMPREPLY=($(compgen -W "A B C D E" -- "$word")); return ;;
    esac
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{0}" -- "$word"))
    elif [[ "$word" == -* ]]; then
        COMPREPLY=($(compgen -W "{2}" -- "$word"))
    else
        COMPREPLY=($(compgen -W "{1}" -- "$word"))
    fi
}}
complete -F _engine engine ./engine
)";

constexpr std::string_view zsh = R"(#compdef engine
_engine() {{
    local -a commands problems
    commands=({0})
    problems=({1})
    case "${{words[CURRENT-1]}}" in
        --from|--output) _files; return ;;
        --format) compadd console json junit github github-summary; return ;;
        --color) compadd auto always never; return ;;
        --require-isolation) compadd A B C D E; return ;;
    esac
    if (( CURRENT == 2 )); then
        compadd -a commands
    elif [[ "${{words[CURRENT]}}" == -* ]]; then
        compadd -- {2}
    else
        compadd -a problems
    fi
}}
compdef _engine engine
)";

} // namespace

ExitCode run_completion(Context& context) {
    const std::string_view shape = context.options().shell == "bash" ? bash : zsh;
    std::cout << fmt::format(fmt::runtime(shape), command_names(), problem_ids(context), options);
    return ExitCode::accepted;
}

} // namespace app
