#include "build/access.h"

namespace build {
namespace {

/// Of addresses: nvcc reserves far more than it uses.
constexpr std::uint64_t nvcc_memory_bytes = 8ULL << 30;

} // namespace

isolation::CompilerAccess access_of_nvcc(const Workshop& workshop, const model::Problem& problem,
                                         const std::filesystem::path& scratch) {
    isolation::CompilerAccess access;
    access.compilers = {workshop.toolchain().nvcc, workshop.toolchain().compiler}; // the one starts the other
    access.hidden = hidden_from_compilers(workshop);
    access.read = {problem.exercise, workshop.layout().exercises / "common"};
    access.write = {scratch};
    access.limits.memory_bytes = nvcc_memory_bytes;
    return access;
}

isolation::CompilerAccess access_for(const Workshop& workshop, const model::Problem& problem, Variant variant,
                                     Main main, const std::filesystem::path& scratch,
                                     const std::filesystem::path& prelude) {
    const Layout& layout = workshop.layout();
    isolation::CompilerAccess access = access_of_nvcc(workshop, problem, scratch);
    const auto read = [&](const std::filesystem::path& path) { access.read.push_back(path); };
    // Where linking fails, a program with a main of its own is linked to see whether any can be.
    for (const Main each : {main, Main::learner})
        for (const std::filesystem::path& object : worker_objects(layout, variant, each))
            read(object);
    read(layout.preludes / guard_header);
    if (!layout.stage().empty()) access.execute = {layout.stage()};
    if (is_for_gpu(variant)) {
        read(workshop.toolchain().cudart);
        return access;
    }
    access.compilers = {workshop.toolchain().compiler};
    access.limits = {};
    if (is_emulated(variant)) read(layout.emulator);
    if (!prelude.empty()) read(prelude.parent_path());
    return access;
}

} // namespace build
