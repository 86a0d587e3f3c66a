#include "app/observation.h"

#include "build/file.h"
#include "build/memo.h"
#include "isolation/cgroups.h"
#include "isolation/observe.h"

#include <cstdlib>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>

namespace app {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr long long seconds_kept = 60;

/// Counts on while the machine sleeps, and nobody can set it.
long long seconds_since_boot() {
    timespec now{};
    clock_gettime(CLOCK_BOOTTIME, &now);
    return now.tv_sec;
}

/// The kernel's own files claim to be empty, so they are read to their end.
std::string kernel_file(const char* file) {
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// All that the level depends on and that may differ from one start of the program to the next: the boot, the
/// container, the user and rights, the cgroup, what the environment asks for, and the canary itself.
std::string circumstances(const fs::path& canary) {
    std::string text = build::stamp(canary);
    for (const char* file : {"/proc/sys/kernel/random/boot_id", "/proc/self/cgroup"})
        text += kernel_file(file) + '\n';
    const std::string status = kernel_file("/proc/self/status");
    for (const char* key : {"\nUid:", "\nGid:", "\nCapEff:", "\nNoNewPrivs:", "\nSeccomp:"})
        if (const std::size_t at = status.find(key); at != std::string::npos)
            text += status.substr(at, status.find('\n', at + 1) - at);
    for (const char* kind : {"user", "mnt", "pid", "net"}) {
        std::error_code error;
        text += fs::read_symlink(fs::path("/proc/self/ns") / kind, error).string() + '\n';
    }
    for (const char* variable : {"ENGINE_ISOLATION_CEILING", "ENGINE_ISOLATION_FLOOR"}) {
        const char* value = std::getenv(variable);
        text += '\n';
        if (value != nullptr) text += value;
    }
    return text;
}

std::optional<model::Isolation> remembered(const fs::path& memo, const std::string& circumstances) {
    const auto text = build::read_memo(memo);
    if (!text) return std::nullopt;
    try {
        const json value = json::parse(*text);
        const long long age = seconds_since_boot() - value.at("seconds_since_boot").get<long long>();
        const int level = value.at("level").get<int>();
        if (value.at("circumstances") != circumstances || age < 0 || age > seconds_kept || level < 0 ||
            level > static_cast<int>(model::IsolationLevel::E))
            return std::nullopt;
        return model::Isolation{static_cast<model::IsolationLevel>(level),
                                value.at("observed").get<std::vector<std::string>>(),
                                value.at("missing").get<std::vector<std::string>>()};
    } catch (const json::exception&) {
        return std::nullopt; // of an engine that wrote it in another way
    }
}

} // namespace

model::Isolation observe_or_remember(const fs::path& canary, const fs::path& memo) {
    if (memo.parent_path().empty()) return isolation::observe(canary);
    const std::string now = circumstances(canary);
    if (auto known = remembered(memo, now)) {
        isolation::remove_orphaned_cgroups(); // which `observe` does, too
        return *known;
    }
    model::Isolation isolation = isolation::observe(canary);
    const json value{{"circumstances", now},
                     {"seconds_since_boot", seconds_since_boot()},
                     {"level", static_cast<int>(isolation.level)},
                     {"observed", isolation.observed},
                     {"missing", isolation.missing}};
    build::write_memo(memo, value.dump(-1, ' ', false, json::error_handler_t::replace));
    return isolation;
}

} // namespace app
