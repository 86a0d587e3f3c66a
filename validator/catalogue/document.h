#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "catalogue/source.h"

namespace catalogue {

using Json = nlohmann::json;
using Pointer = nlohmann::json_pointer<std::string>;

/// A JSON file of a package as parsed, and how messages call it.
struct Document {
    std::string name;
    Json content;

    /// Throws model::ContentError: "cannot read <name>: <where> <what>".
    [[noreturn]] void fail(const Pointer& where, const std::string& what) const;
};

/// Syntax errors give line and column. A key given twice, control characters in strings, and more
/// nesting than any of our formats has are errors too.
Document parse(const Source&);

/// How a message cites a value: as JSON, cut off where it gets long.
std::string cited(const Json& value);

} // namespace catalogue
