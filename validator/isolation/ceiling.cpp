#include "isolation/ceiling.h"

#include "model/errors.h"

#include <cstdlib>

namespace isolation {
namespace {

using model::IsolationLevel;

constexpr const char* ceiling_name = "ENGINE_ISOLATION_CEILING";
constexpr const char* floor_name = "ENGINE_ISOLATION_FLOOR";

IsolationLevel level_from(const char* variable, IsolationLevel otherwise) {
    const char* text = std::getenv(variable);
    if (text == nullptr) return otherwise;
    if (text[0] < 'A' || text[0] > 'E' || text[1] != '\0')
        throw model::EnvironmentError(
            std::string(variable) + " is \"" + text +
            "\", which is no isolation level; set it to A, B, C, D or E, or unset it");
    return static_cast<IsolationLevel>(text[0] - 'A');
}

std::string assignment(const char* variable, IsolationLevel level) {
    return std::string(variable) + "=" + static_cast<char>('A' + static_cast<int>(level));
}

} // namespace

IsolationLevel ceiling() {
    return level_from(ceiling_name, IsolationLevel::A);
}

IsolationLevel floor() {
    return level_from(floor_name, IsolationLevel::E);
}

std::vector<std::string> driver_environment(IsolationLevel observed) {
    return {assignment(ceiling_name, ceiling()), assignment(floor_name, observed)};
}

} // namespace isolation
