#include "build/never_returns.h"

#include <string_view>

namespace build {

bool never_returns(const model::Diagnostic& diagnostic) {
    const std::string_view message = diagnostic.message;
    return diagnostic.severity == model::Severity::warning &&
           (message.starts_with("no return statement in function returning non-void") ||
            (message.starts_with("non-void function does not return a value") &&
             message.find("in all control paths") == std::string_view::npos));
}

} // namespace build
