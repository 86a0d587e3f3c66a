#pragma once

#include <filesystem>
#include <string>

namespace build {

/// What the declaration of this function in `contract` calls its parameter of this number, counted from 1:
/// "table". Empty if the file cannot be read, there is no such parameter, or it has no name.
std::string parameter_name(const std::filesystem::path& contract, const std::string& function, int number);

} // namespace build
