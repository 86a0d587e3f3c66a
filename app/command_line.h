#pragma once

#include "app/call.h"
#include "app/options.h"

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

/// The command line as CLI11 reads it.
namespace app {

/// Every command with its options, and what all have in common.
void declare_commands(CLI::App& cli, Options& options);

/// What is wrong with a command line that was refused, and what was probably meant. `words` are what was
/// typed after the program.
std::string refusal(const CLI::ParseError& error, const std::vector<std::string>& words, const Call& call);

} // namespace app
