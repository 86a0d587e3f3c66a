#include "app/isolation_floor.h"

#include "model/errors.h"

namespace app {

void require_isolation(const Context& context, model::IsolationLevel floor,
                       const model::Isolation& observed) {
    const model::IsolationLevel required = context.options().require_isolation.value_or(floor);
    if (observed.level > required)
        throw model::EnvironmentError("not judged: isolation level " + std::string(name(required)) +
                                      " is required, and level " + std::string(name(observed.level)) +
                                      " was observed here; " + context.call()("doctor") +
                                      " says what is missing");
}

} // namespace app
