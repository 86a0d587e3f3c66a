// The same compiler run inside the compiler's sandbox and outside it, by turns.
#include "isolation/compiler.h"
#include "system/process.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace {

namespace fs = std::filesystem;

std::optional<double> milliseconds(const sys::Command& command) {
    const auto start = std::chrono::steady_clock::now();
    const sys::RunOutcome outcome = sys::run(command, {std::chrono::seconds(60), 1 << 20});
    if (!outcome.ok()) {
        std::fputs(outcome.output.c_str(), stderr);
        return std::nullopt;
    }
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

} // namespace

int main(int count, char** values) {
    if (count < 7) {
        std::fputs("usage: bench_sandboxed_compile ROUNDS SCRATCH READ READ COMPILER ARGUMENT…\n", stderr);
        return 2;
    }
    const fs::path scratch = values[2];
    isolation::CompilerAccess access;
    access.compilers = {values[5]};
    access.read = {values[3], values[4]};
    access.write = {scratch};

    sys::Command bare;
    bare.program = values[5];
    bare.arguments.assign(values + 6, values + count);
    bare.environment = {"PATH=/usr/bin:/bin", "LC_ALL=C.UTF-8", "TMPDIR=" + scratch.string()};
    bare.directory = scratch;
    sys::Command boxed = bare;
    boxed.confinement = isolation::confine_compiler(access);

    for (int round = -1; round < std::atoi(values[1]); ++round) {
        const auto inside = milliseconds(boxed);
        const auto outside = milliseconds(bare);
        if (!inside || !outside) return 1;
        if (round >= 0) std::printf("[%.4f, %.4f]\n", *inside, *outside);
    }
    return 0;
}
