#pragma once

#include <string>

#include "catalogue/document.h"
#include "model/problem.h"

namespace catalogue {

/// The fields of a schema-checked problem.json, with every rule checked that needs no other file.
/// Throws model::ContentError.
model::Problem read_manifest(const Document&, const std::string& id);

} // namespace catalogue
