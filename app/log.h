#pragma once

#include "app/options.h"

#include <string>
#include <string_view>

/// What is said besides results: on stderr, as much as `--log-level` wants, and all of it in `--log-file`.
/// What was typed and what files hold may be part of any text, so it is cleaned here, and cut in the file.
namespace app::log {

/// Warnings and errors on stderr, until the command line has been read.
void begin();

/// As the command line wants it. `first` is the first line of the file. Throws model::UsageError for a file
/// that holds something else than a log, and model::EnvironmentError for one that cannot be written.
void configure(const Options& options, const std::string& first);

/// Whether anything becomes of `debug`, and whether it goes to stderr.
bool wants_debug();
bool shows_debug();

void error(std::string_view text);
void warning(std::string_view text);
void info(std::string_view text);
void debug(std::string_view text);

} // namespace app::log
