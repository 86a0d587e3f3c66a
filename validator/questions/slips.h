#pragma once

#include <string>

namespace questions {

/// What a wrong number is to the right one, where a slip of units explains it: bits for bytes, thousands for
/// kibibytes, a fraction for per cent. Empty where none does. `unit` is the question's.
std::string slip(double got, double want, double relative_tolerance, const std::string& unit);

/// Whether two numbers agree. A few roundings are always forgiven: 0.1 * 3 is not 0.3 in binary.
bool agrees(double got, double want, double relative_tolerance);

} // namespace questions
