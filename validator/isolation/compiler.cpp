#include "isolation/compiler.h"

#include "isolation/ceiling.h"
#include "isolation/filter.h"
#include "isolation/landlock.h"
#include "model/errors.h"
#include "system/process.h"

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

/// Where toolchains are installed, and where these are: as they are called, and by their real names.
std::set<fs::path> prefixes_of(const std::vector<fs::path>& compilers) {
    std::error_code error;
    std::set<fs::path> prefixes{"/", "/usr", "/usr/local"};
    for (const fs::path& compiler : compilers)
        if (compiler.is_absolute())
            for (const fs::path& name : {compiler.lexically_normal(), fs::weakly_canonical(compiler, error)})
                prefixes.insert(name.parent_path().parent_path());
    return prefixes;
}

/// The toolchains' folders, each by its real name and once.
std::set<fs::path> toolchain_folders(const std::vector<fs::path>& compilers) {
    std::error_code error;
    std::set<fs::path> folders;
    for (const fs::path& prefix : prefixes_of(compilers))
        for (const char* part : parts)
            if (fs::path folder = fs::canonical(prefix / part, error); !error && fs::is_directory(folder))
                folders.insert(std::move(folder));
    return folders;
}

/// What a compiler sees of the host where it can have namespaces: nothing else is there, so nothing else can
/// be asked for either.
sys::SandboxRoot compiler_root(const CompilerAccess& access, const std::set<fs::path>& toolchain, bool proc) {
    sys::SandboxContents contents;
    contents.proc = proc ? sys::Proc::processes : sys::Proc::none;
    std::error_code error;
    const auto add = [&](const fs::path& path) {
        if (path.is_absolute() && fs::exists(path, error))
            contents.readable.push_back(path.lexically_normal());
    };
    std::ranges::for_each(toolchain, add);
    std::ranges::for_each(readable, add);
    std::ranges::for_each(access.read, add);
    std::ranges::for_each(access.execute, add);
    contents.writable = access.write;
    for (const fs::path& prefix : prefixes_of(access.compilers))
        for (const char* part : parts) {
            const fs::path folder = prefix / part;
            if (fs::is_symlink(folder, error))
                contents.links.push_back(folder);
            else if (fs::is_directory(folder, error) && !toolchain.contains(folder))
                contents.readable.push_back(folder); // its prefix is a link
        }
    return sys::SandboxRoot(contents);
}

/// Found out by starting a process.
bool can_have(const sys::SandboxRoot& root) {
    auto confinement = std::make_shared<sys::Confinement>();
    confinement->root = root;
    sys::Command command;
    command.program = "a compiler in its own namespaces";
    command.confinement = std::move(confinement);
    command.rehearsal = true;
    try {
        const sys::Exit exit = sys::spawn(command).wait();
        return !exit.signalled && exit.code == 0;
    } catch (const model::EnvironmentError&) {
        return false; // Landlock alone, then
    }
}

/// The same, once a process: what holds for one compiler holds for all.
bool compilers_can_have(const sys::SandboxRoot& root) {
    static const bool possible = can_have(root);
    return possible;
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

/// All but the filter. `traces`: it looks at its own processes.
std::shared_ptr<sys::Confinement> confine(const CompilerAccess& access, bool traces) {
    Landlock landlock;
    const std::vector<fs::path> hidden = real_names(access.hidden);
    const std::set<fs::path> toolchain = toolchain_folders(access.compilers);
    for (const fs::path& folder : toolchain)
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
        // A kill at this limit could not be told from one from outside: the kernel limits CPU time as its
        // ticks
        // count it and reports it as measured, and on a busy machine the two differ by more than a tenth.
        {RLIMIT_CPU, static_cast<rlim_t>(access.limits.cpu.count()), 5},
        {RLIMIT_CORE, 0},
        {RLIMIT_FSIZE, access.limits.file_bytes},
        {RLIMIT_AS, access.limits.memory_bytes},
        {RLIMIT_NOFILE, 256},
    };
    // Root's compiler stays root by number, since what it reads and writes is in root's folders: a user who
    // may do no more than any other.
    confinement->no_capabilities = true;
    if (ceiling() <= model::IsolationLevel::B)
        if (sys::SandboxRoot root = compiler_root(access, toolchain, traces);
            traces ? can_have(root) : compilers_can_have(root))
            confinement->root = std::move(root);
    confinement->landlock = landlock.take();
    // Without a root of its own, /proc is the host's.
    if (traces && confinement->root && confinement->landlock)
        confinement->own_places.push_back({"/proc", rights::read});
    return confinement;
}

} // namespace

std::shared_ptr<const sys::Confinement> confine_compiler(const CompilerAccess& access) {
    auto confinement = confine(access, false);
    confinement->filter = compiler_filter();
    return confinement;
}

std::shared_ptr<const sys::Confinement> confine_debugger(const CompilerAccess& access) {
    auto confinement = confine(access, true);
    confinement->filter = debugger_filter();
    return confinement;
}

} // namespace isolation
