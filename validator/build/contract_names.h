#pragma once

#include "model/judgement.h"

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace build {

/// Types, aliases, namespaces and functions that a problem's contract.h and the headers of `exercises`/common
/// that it includes declare: "Status", "Matrix", "lookup", "exercise". Empty where a header cannot be read.
std::vector<std::string> contract_names(const std::filesystem::path& exercise,
                                        const std::filesystem::path& exercises);

/// Headers of the standard library that come with contract.h, wherever the file is compiled: "span".
std::set<std::string> headers_of_contract(const std::filesystem::path& exercise,
                                          const std::filesystem::path& exercises);

/// Sets `nearest` of each message that calls a name unknown: "‘Staus’ does not name a type".
void name_nearest(std::vector<model::Diagnostic>& diagnostics, const std::filesystem::path& exercise,
                  const std::filesystem::path& exercises);

} // namespace build
