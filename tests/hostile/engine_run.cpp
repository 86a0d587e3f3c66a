#include "engine_run.h"

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <sys/stat.h>

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
    if (how.as_nobody) confinement->identity = sys::Identity{65534, 65534};

    sys::Command command;
    command.program = ENGINE_PROGRAM;
    command.arguments = arguments;
    command.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=" + how.folder.string(),
                           "XDG_CACHE_HOME=" + how.cache.string(), "TMPDIR=" + how.folder.string()};
    command.directory = how.folder;
    command.confinement = confinement;
    return sys::run(command, {.wall = std::chrono::seconds(120), .output_bytes = 8 << 20});
}

nlohmann::json report_of(const sys::RunOutcome& outcome) {
    const std::size_t begin = outcome.output.find("{\"");
    if (begin == std::string::npos) return {};
    const std::size_t end = outcome.output.rfind('}');
    return nlohmann::json::parse(outcome.output.substr(begin, end - begin + 1), nullptr, false);
}

} // namespace hostile
