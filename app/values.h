#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <vector>

/// What the values of options may be, with words for a learner where one is something else.
namespace app {

/// "takes auto, always or never, not 'alway'; did you mean always?"
std::string not_one_of(const std::vector<std::string>& names, const std::string& given);

/// One of these names.
CLI::Validator one_of(std::vector<std::string> names);

/// A whole number from 0 on that 64 bits hold.
CLI::Validator whole_number();

} // namespace app
