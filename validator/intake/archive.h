#pragma once

#include "intake/entries.h"

#include <string>

namespace intake {

/// Whether a file of this name is read as an archive: zip, tar, and tar compressed by gzip, bzip2, xz or
/// zstd.
bool is_archive_name(const std::string& name);

/// The name without what makes it an archive's: "ada" of "ada.tar.gz".
std::string without_archive_ending(const std::string& name);

/// The files of an archive, in its order; hidden ones are left out. Times in it are
/// its author's word and do not count. A path that leads out of the archive, a
/// password, damage, and what goes beyond the bounds are trouble. `fd` is open for reading.
Entries read_archive(int fd);

} // namespace intake
