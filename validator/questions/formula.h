#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace questions {

/// The value of a formula of ours over its variables. Throws model::ContentError where it has none: a syntax
/// error, an unknown name, or a result that is no finite number.
double evaluate(const std::string& formula, const std::map<std::string, double>& variables);

/// The number in a learner's answer, or nothing where none can be read: 1,234.5 and 1_000; 1e3; 3/4; 2^20; 12
/// * (4 + 1); 5 % as 0.05 unless per cent is the unit; with or without the unit after it. Names and functions
/// are not accepted.
std::optional<double> read_number(std::string_view answer, const std::string& unit);

} // namespace questions
