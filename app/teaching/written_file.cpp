#include "app/teaching/written_file.h"

#include "model/errors.h"
#include "system/beneath.h"
#include "system/write_beneath.h"

#include <cerrno>
#include <cstring>

namespace teaching {

namespace fs = std::filesystem;

fs::path folder_of(const fs::path& file) {
    return file.parent_path().empty() ? "." : file.parent_path();
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (error)
        throw model::EnvironmentError("cannot make the folder " + folder.string() + ": " + error.message());
}

void write_file(const fs::path& folder, const fs::path& name, const std::string& text) {
    const sys::Fd open = sys::open_folder(folder);
    if (!open || !sys::write_beneath(open, name, text))
        throw model::EnvironmentError("cannot write " + (folder / name).string() + ": " +
                                      std::strerror(errno));
}

} // namespace teaching
