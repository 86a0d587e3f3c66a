#include "isolation/compiler.h"

#include "isolation/filter.h"
#include "isolation/landlock.h"

#include <algorithm>
#include <array>
#include <set>

namespace isolation {
namespace {

namespace fs = std::filesystem;

/// Where programs, headers and libraries lie below the folder that a toolchain was installed into.
constexpr std::array parts{"bin", "include", "lib", "lib32", "lib64", "libexec", "nvvm", "targets"};
constexpr std::array readable{"/etc/ld.so.cache",  "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                              "/etc/alternatives", "/dev/null",       "/dev/urandom"};

bool is_below(const fs::path& path, const fs::path& folder) {
    return std::ranges::mismatch(folder, path).in1 == folder.end();
}

/// The toolchain's folders, each by its real name and once.
std::set<fs::path> toolchain_folders(const fs::path& compiler) {
    std::error_code error;
    std::set<fs::path> prefixes{"/", "/usr", "/usr/local"};
    if (compiler.is_absolute())
        prefixes.insert(fs::weakly_canonical(compiler, error).parent_path().parent_path());
    std::set<fs::path> folders;
    for (const fs::path& prefix : prefixes)
        for (const char* part : parts)
            if (fs::path folder = fs::canonical(prefix / part, error); !error && fs::is_directory(folder))
                folders.insert(std::move(folder));
    return folders;
}

/// Landlock cannot take back a part of what it has allowed, so a folder that holds something hidden is
/// allowed piece by piece. Links are left out: what they point to has its own place.
void allow_without(Landlock& landlock, const fs::path& path, const std::vector<fs::path>& hidden) {
    if (std::ranges::any_of(hidden, [&](const fs::path& secret) { return is_below(path, secret); })) return;
    if (std::ranges::none_of(hidden, [&](const fs::path& secret) { return is_below(secret, path); })) {
        landlock.allow_read_and_execute(path);
        return;
    }
    std::error_code error;
    for (fs::directory_iterator it(path, error), end; !error && it != end; it.increment(error))
        if (!it->is_symlink()) allow_without(landlock, it->path(), hidden);
}

std::vector<fs::path> real_names(const std::vector<fs::path>& paths) {
    std::vector<fs::path> result;
    for (const fs::path& path : paths) {
        std::error_code error;
        if (fs::path real = fs::canonical(path, error); !error) result.push_back(std::move(real));
    }
    return result;
}

} // namespace

std::shared_ptr<const sys::Confinement> confine_compiler(const CompilerAccess& access) {
    Landlock landlock;
    const std::vector<fs::path> hidden = real_names(access.hidden);
    for (const fs::path& folder : toolchain_folders(access.compiler))
        allow_without(landlock, folder, hidden);
    for (const char* path : readable)
        landlock.allow_read(path);
    landlock.allow_write("/dev/null");
    for (const fs::path& path : access.read)
        landlock.allow_read(path);
    for (const fs::path& path : access.execute)
        landlock.allow_read_and_execute(path);
    for (const fs::path& path : access.write) {
        landlock.allow_read(path);
        landlock.allow_write(path);
    }

    auto confinement = std::make_shared<sys::Confinement>();
    confinement->limits = {
        {RLIMIT_CPU, static_cast<rlim_t>(access.limits.cpu.count())},
        {RLIMIT_CORE, 0},
        {RLIMIT_FSIZE, access.limits.file_bytes},
        {RLIMIT_AS, access.limits.memory_bytes},
        {RLIMIT_NOFILE, 256},
    };
    // Root's compiler stays root by number, since what it reads and writes is in root's folders: a user who may
    // do no more than any other.
    confinement->no_capabilities = true;
    confinement->landlock = landlock.take();
    confinement->filter = compiler_filter();
    return confinement;
}

} // namespace isolation
