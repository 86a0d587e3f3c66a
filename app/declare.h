#pragma once

#include "app/options.h"

#include <CLI/CLI.hpp>

/// The options of the command line, by group; each command declares the groups it takes.
namespace app {

void declare_nothing(CLI::App& command, Options& options);
void declare_id(CLI::App& command, Options& options);
void declare_needed_id(CLI::App& command, Options& options);
void declare_judging(CLI::App& command, Options& options);
void declare_verify(CLI::App& command, Options& options);
void declare_new_id(CLI::App& command, Options& options);
void declare_doctor(CLI::App& command, Options& options);
void declare_shell(CLI::App& command, Options& options);

/// What every command takes.
void declare_common(CLI::App& command, Options& options);

} // namespace app
