#include "build/note.h"

#include <nlohmann/json.hpp>

namespace build {

using nlohmann::json;

std::string to_note(const std::vector<model::Diagnostic>& diagnostics) {
    json list = json::array();
    for (const model::Diagnostic& d : diagnostics)
        list.push_back({d.file, d.line, d.column, static_cast<int>(d.severity), d.message});
    return list.dump(-1, ' ', false, json::error_handler_t::replace); // a compiler may cut a character in two
}

std::vector<model::Diagnostic> from_note(const std::string& note) {
    std::vector<model::Diagnostic> diagnostics;
    const json list = json::parse(note, nullptr, false); // checked by the cache, so written by `to_note`
    for (const json& d : list)
        diagnostics.push_back(
            {d.at(0), d.at(1), d.at(2), static_cast<model::Severity>(d.at(3).get<int>()), d.at(4), ""});
    return diagnostics;
}

} // namespace build
