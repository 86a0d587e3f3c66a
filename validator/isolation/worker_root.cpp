#include "isolation/worker_root.h"

#include "isolation/files.h"
#include "isolation/identity.h"
#include "model/errors.h"
#include "system/process.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

namespace isolation {
namespace {

constexpr const char* attempt = "a process in its own namespaces";

long read_number(const char* file) {
    long value = -1;
    std::ifstream(file) >> value;
    return value;
}

std::string remedy() {
    if (read_number("/proc/sys/user/max_user_namespaces") == 0)
        return "sudo sysctl -w user.max_user_namespaces=10000";
    if (read_number("/proc/sys/kernel/unprivileged_userns_clone") == 0)
        return "sudo sysctl -w kernel.unprivileged_userns_clone=1, or run as root";
    if (std::filesystem::exists("/.dockerenv") || std::filesystem::exists("/run/.containerenv"))
        return "start the container with --security-opt seccomp=unconfined --security-opt "
               "apparmor=unconfined "
               "--security-opt systempaths=unconfined";
    if (read_number("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == 1)
        return "sudo sysctl -w kernel.apparmor_restrict_unprivileged_userns=0 (Ubuntu, GitHub runners), or "
               "run "
               "as root";
    return "run as root, or allow user namespaces to this user";
}

std::string try_one(bool sanitized) {
    auto confinement = std::make_shared<sys::Confinement>();
    confinement->identity = unprivileged_identity();
    confinement->root = worker_root(sanitized);
    sys::Command command;
    command.program = attempt;
    command.confinement = std::move(confinement);
    command.rehearsal = true;
    try {
        const sys::Exit exit = sys::spawn(command).wait();
        if (!exit.signalled && exit.code == 0) return {};
        return "namespaces: a process in them ended without a reason; " + remedy();
    } catch (const model::EnvironmentError& error) {
        return std::string(error.what()) + "; " + remedy();
    }
}

} // namespace

sys::SandboxRoot worker_root(bool sanitized, const std::vector<std::filesystem::path>& gpu_files,
                             const model::Launcher& launcher, int program_fd) {
    std::vector<std::filesystem::path> files = worker_files(sanitized);
    std::error_code error;
    const auto add_what_exists = [&](const std::vector<std::filesystem::path>& more) {
        std::ranges::copy_if(more, std::back_inserter(files), [&](const std::filesystem::path& file) {
            return std::filesystem::exists(file, error);
        });
    };
    add_what_exists(gpu_files);
    if (!gpu_files.empty()) add_what_exists(driver_files());
    if (launcher.given()) {
        files.insert(files.end(), launcher.files.begin(), launcher.files.end());
        files.emplace_back(launcher.program);
    }
    return sys::SandboxRoot({.readable = files,
                             .writable = {},
                             .links = {},
                             .proc = !gpu_files.empty() ? sys::Proc::whole
                                     : sanitized        ? sys::Proc::processes
                                                        : sys::Proc::none,
                             .temporary = launcher.given(),
                             .program_fd = launcher.given() ? program_fd : -1});
}

const std::string& namespace_obstacle(bool sanitized) {
    if (sanitized) {
        static const std::string obstacle = try_one(true);
        return obstacle;
    }
    // What a sanitized worker's root has, and less: one attempt usually answers for both.
    static const std::string obstacle = namespace_obstacle(true).empty() ? std::string() : try_one(false);
    return obstacle;
}

} // namespace isolation
