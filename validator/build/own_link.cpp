#include "build/own_link.h"

#include "build/limits.h"
#include "build/plan.h"
#include "model/errors.h"

namespace build {

void require_own_link(const Workshop& workshop, Variant variant, const Scratch& scratch, sys::Command command,
                      int cancel_fd) {
    const Toolchain& toolchain = workshop.toolchain();
    scratch.write("own.cpp", "int main() {}\n");
    const auto run = [&](std::vector<std::string> arguments) {
        command.arguments = std::move(arguments);
        return sys::run(command, compiler_limits, cancel_fd);
    };
    const sys::RunOutcome compiled = run({"-fPIE", "-c", "own.cpp", "-o", "own.o"});
    if (compiled.interrupted) return;
    const sys::RunOutcome linked =
        run(link_arguments({"own.o"}, toolchain, workshop.layout(), variant, "own", Main::learner));
    if (linked.interrupted || linked.ok()) return;
    forget_toolchain(toolchain, workshop.cache().folder());
    throw model::EnvironmentError(
        toolchain.name() + " links no program any more, not even an empty one (\"" + linked.first_line() +
        "\"), so this says nothing about yours; install what is missing" +
        (is_for_gpu(variant) ? ": the CUDA Toolkit" : " with: apt-get install g++ libboost-context-dev"));
}

} // namespace build
