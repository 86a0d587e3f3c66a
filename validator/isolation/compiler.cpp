#include "isolation/compiler.h"

#include "isolation/filter.h"
#include "isolation/landlock.h"

#include <array>

namespace isolation {
namespace {

constexpr std::array toolchain{"/usr", "/lib", "/lib64", "/opt"};
constexpr std::array readable{"/etc/ld.so.cache",  "/etc/ld.so.conf", "/etc/ld.so.conf.d",
                              "/etc/alternatives", "/dev/null",       "/dev/urandom"};

} // namespace

std::shared_ptr<const sys::Confinement> confine_compiler(const CompilerAccess& access) {
    Landlock landlock;
    for (const char* path : toolchain)
        landlock.allow_read_and_execute(std::filesystem::path(path));
    for (const char* path : readable)
        landlock.allow_read(path);
    landlock.allow_write("/dev/null");
    for (const std::filesystem::path& path : access.read)
        landlock.allow_read(path);
    for (const std::filesystem::path& path : access.write) {
        landlock.allow_read(path);
        landlock.allow_write(path);
    }

    auto confinement = std::make_shared<sys::Confinement>();
    confinement->limits = {
        {RLIMIT_CPU, 15},        {RLIMIT_CORE, 0},     {RLIMIT_FSIZE, 64ULL << 20},
        {RLIMIT_AS, 2ULL << 30}, {RLIMIT_NOFILE, 256},
    };
    confinement->landlock = landlock.take();
    confinement->filter = compiler_filter();
    return confinement;
}

} // namespace isolation
