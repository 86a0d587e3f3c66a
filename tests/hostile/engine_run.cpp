#include "engine_run.h"

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <sys/stat.h>
#include <unistd.h>

namespace hostile {

namespace fs = std::filesystem;

Folder::Folder() {
    std::string name = (fs::temp_directory_path() / "engine-hostile-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp");
    chmod(name.c_str(), 0777);
    path_ = name;
}

Folder::~Folder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
}

sys::RunOutcome run_engine(const EngineRun& how, const std::vector<std::string>& arguments) {
    auto confinement = std::make_shared<sys::Confinement>();
    confinement->limits = how.limits;
    if (how.unprivileged) {
        const uid_t user = 60'000 + static_cast<uid_t>(getpid() % 5'000);
        confinement->identity = sys::Identity{user, user};
    }

    sys::Command command;
    command.program = ENGINE_PROGRAM;
    command.arguments = arguments;
    if (!how.disk.empty()) {
        // In a mount namespace of its own, which takes the disk away with it.
        command.program = "/usr/bin/unshare";
        command.arguments = {"-m",
                             "sh",
                             "-c",
                             "mount -t tmpfs -o size=\"$0\" disk \"$1\" && mkdir -p \"$1/exercises/common\" "
                             "&& shift && exec \"$@\"",
                             how.disk,
                             how.folder.string(),
                             ENGINE_PROGRAM};
        command.arguments.insert(command.arguments.end(), arguments.begin(), arguments.end());
    }
    command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=" + how.folder.string(),
                           "XDG_CACHE_HOME=" + how.cache.string(), "TMPDIR=" + how.folder.string()};
    if (!how.ceiling.empty()) command.environment.push_back("ENGINE_ISOLATION_CEILING=" + how.ceiling);
    command.directory = how.folder;
    fs::create_directories(how.folder / "exercises/common");
    command.confinement = confinement;
    return sys::run(command, {.wall = std::chrono::seconds(60), .output_bytes = 8 << 20});
}

nlohmann::json report_of(const sys::RunOutcome& outcome) {
    // What the engine says about its progress comes first, and holds no brace.
    const std::size_t begin = outcome.output.find('{');
    if (begin == std::string::npos) return {};
    const std::size_t end = outcome.output.rfind('}');
    return nlohmann::json::parse(outcome.output.substr(begin, end - begin + 1), nullptr, false);
}

} // namespace hostile
