#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

/// Everything that commands write below a folder of the user's goes through here: below a workspace, a
/// collection, or the package of a problem. The folder itself may be reached by a link. What is in it may
/// have come with a clone or an archive, so no link below it is followed: a link in it could make the engine
/// write anywhere.
///
/// Each throws model::UsageError for a link, which it names, and model::EnvironmentError if the file system
/// refuses.
namespace workspace {

/// Makes the folder `name` below `folder`, if it is not there.
void make_folder(const std::filesystem::path& folder, const std::filesystem::path& name);

/// Writes the file `name` below `folder` in one step, and the folders on the way to it.
void write(const std::filesystem::path& folder, const std::filesystem::path& name, std::string_view text);

/// The same for a name that nothing has. False, and nothing is written, if something has it, e.g. a link.
bool add(const std::filesystem::path& folder, const std::filesystem::path& name, std::string_view text);

/// Makes the link `name` below `folder` to `target`, in the place of a link or file that has the name.
void link(const std::filesystem::path& folder, const std::filesystem::path& name,
          const std::filesystem::path& target);

/// Writes a file that may be there already: what the learner wrote is never overwritten but gets another
/// name, with the time in it, which nothing has yet. A link is renamed as a link. Returns the new path;
/// nothing if nothing had the name. If the file cannot be written, what was there is back.
std::optional<std::filesystem::path> replace(const std::filesystem::path& folder,
                                             const std::filesystem::path& name, std::string_view text);

/// For what is about to be read or written in another way.
void require_no_link(const std::filesystem::path& folder, const std::filesystem::path& name);

} // namespace workspace
