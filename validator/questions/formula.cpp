#include "questions/formula.h"

#include <cmath>
#include <muParser.h>

namespace questions {

double evaluate(const std::string& formula, const Variables& variables) {
    double value = 0;
    int count = 0;
    try {
        mu::Parser parser;
        for (const auto& [name, number] : variables)
            parser.DefineConst(name, number);
        parser.SetExpr(formula);
        value = *parser.Eval(count);
    } catch (const mu::Parser::exception_type& error) {
        throw FormulaError(error.GetMsg());
    }
    if (count != 1) throw FormulaError("It has " + std::to_string(count) + " values instead of one.");
    if (!std::isfinite(value)) throw FormulaError("Its value is not finite.");
    return value;
}

} // namespace questions
