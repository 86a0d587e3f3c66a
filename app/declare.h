#pragma once

#include "app/options.h"

#include <CLI/CLI.hpp>

/// The options of the command line, by group; each command declares the groups it takes.
namespace app {

/// An option or an argument of a command, in words.
struct OptionWords {
    std::string names; ///< "-v,--verbose", or an argument's name
    std::string value; ///< "FILE", or nothing for a flag
    std::string says;
    bool positional = false;
    bool required = false;
};

/// What a command takes, as it declares it; what every command takes comes last.
std::vector<OptionWords> options_of(void (*declare)(CLI::App&, Options&));

void declare_nothing(CLI::App& command, Options& options);
void declare_folder(CLI::App& command, Options& options);
void declare_id(CLI::App& command, Options& options);
void declare_hint(CLI::App& command, Options& options);
void declare_show(CLI::App& command, Options& options);
void declare_needed_id(CLI::App& command, Options& options);
void declare_judging(CLI::App& command, Options& options);
void declare_bench(CLI::App& command, Options& options);
void declare_watching(CLI::App& command, Options& options);
void declare_submitting(CLI::App& command, Options& options);
void declare_justification(CLI::App& command, Options& options);
void declare_harden(CLI::App& command, Options& options);
void declare_try(CLI::App& command, Options& options);
void declare_pictures(CLI::App& command, Options& options);
void declare_debug(CLI::App& command, Options& options);
void declare_replay(CLI::App& command, Options& options);
void declare_verify(CLI::App& command, Options& options);
void declare_new_id(CLI::App& command, Options& options);
void declare_mistake(CLI::App& command, Options& options);
void declare_prepare(CLI::App& command, Options& options);
void declare_doctor(CLI::App& command, Options& options);
void declare_topic(CLI::App& command, Options& options);
void declare_grade(CLI::App& command, Options& options);
void declare_grade_task(CLI::App& command, Options& options);
void declare_regrade(CLI::App& command, Options& options);
void declare_similarity(CLI::App& command, Options& options);
void declare_shell(CLI::App& command, Options& options);

/// What every command takes.
void declare_common(CLI::App& command, Options& options);

} // namespace app
