#pragma once

#include <map>
#include <stdexcept>
#include <string>

namespace questions {

/// A formula that cannot be parsed, or has no single finite value; the text says why.
struct FormulaError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

using Variables = std::map<std::string, double>;

/// The value of a muParser expression over `variables`. Throws FormulaError.
double evaluate(const std::string& formula, const Variables& variables);

} // namespace questions
