#pragma once

#include <filesystem>
#include <vector>

namespace collections {

/// What the user has set for every run.
struct Configuration {
    std::vector<std::filesystem::path> collections; ///< whole paths, in order
};

/// Where it lies: engine/config.json in $XDG_CONFIG_HOME, or in .config of $HOME. Empty where neither
/// variable holds a whole path. Either may be null.
std::filesystem::path configuration_file(const char* config_home, const char* home);

/// Nothing is set where there is no such file. What it names is run as this user, so it has to be a file that
/// nobody but the user and root can have written: throws model::EnvironmentError for any other, and for a
/// symbolic link; model::ContentError, with the place, for one that breaks config.schema.json.
Configuration read_configuration(const std::filesystem::path& file, const std::filesystem::path& schemas);

} // namespace collections
