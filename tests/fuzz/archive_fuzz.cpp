// An archive that a student hands in.
#include "fuzz/target.h"

#include "intake/archive.h"
#include "system/fd.h"

#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const sys::Fd fd(memfd_create("archive", MFD_CLOEXEC));
    fuzz::require(write(fd.get(), data, size) == static_cast<ssize_t>(size), "the input can be written");
    lseek(fd.get(), 0, SEEK_SET);
    const intake::Entries entries = intake::read_archive(fd.get());
    fuzz::require(entries.trouble.empty() || entries.files.empty(), "nothing is taken of what is trouble");
    fuzz::require(entries.files.size() <= intake::max_files, "there are not too many files");
    for (const intake::Entry& entry : entries.files) {
        fuzz::require(intake::plain_path(entry.path) == entry.path, "a path stays inside");
        fuzz::require(entry.text.size() <= intake::max_file_bytes, "no file is too large");
    }
    return 0;
}
