#include "app/values.h"

#include "text/nearest.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

namespace app {

std::string not_one_of(const std::vector<std::string>& names, const std::string& given) {
    std::string words = "takes ";
    for (std::size_t i = 0; i < names.size(); ++i)
        words += (i == 0 ? "" : i + 1 == names.size() ? " or " : ", ") + names[i];
    words += ", not '" + given + "'";
    if (const auto near = text::nearest(given, names)) words += "; did you mean " + *near + "?";
    return words;
}

CLI::Validator one_of(std::vector<std::string> names) {
    std::string description;
    for (const std::string& name : names)
        description += (description.empty() ? "{" : ",") + name;
    return {[names = std::move(names)](std::string& given) {
                return std::ranges::find(names, given) != names.end() ? "" : not_one_of(names, given);
            },
            description + "}"};
}

CLI::Validator whole_number() {
    return {[](std::string& given) -> std::string {
                std::uint64_t value = 0;
                const char* const end = given.data() + given.size();
                const auto [stopped, error] = std::from_chars(given.data(), end, value);
                const bool fine = error == std::errc() && stopped == end;
                return fine ? "" : "takes a whole number from 0 up, not '" + given + "'";
            },
            ""};
}

} // namespace app
