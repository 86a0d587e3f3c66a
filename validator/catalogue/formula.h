#pragma once

#include <map>
#include <stdexcept>
#include <string>

namespace catalogue {

/// A formula that cannot be parsed, or has no single finite value; the text says why.
struct FormulaError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The value of a muParser expression over `variables`. Throws FormulaError.
double evaluate(const std::string& formula, const std::map<std::string, double>& variables);

} // namespace catalogue
