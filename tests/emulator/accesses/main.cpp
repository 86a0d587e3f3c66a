#include "accesses.h"

#include "emulator/worker.h"

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

/// Runs each kernel, and says what a trace counts for it, and what it should.
namespace {

std::string in_words(std::vector<unsigned> loads, std::vector<unsigned> stores) {
    std::string out;
    std::sort(loads.begin(), loads.end());
    std::sort(stores.begin(), stores.end());
    for (const unsigned bytes : loads)
        out += std::to_string(bytes) + " ";
    out += "->";
    for (const unsigned bytes : stores)
        out += " " + std::to_string(bytes);
    return out;
}

std::string observed() {
    const emulator::Trace trace = emulator::take_trace();
    std::vector<unsigned> loads, stores;
    for (const auto& kernel : trace.kernels)
        for (const auto& line : kernel.lines) {
            auto& of_kind = line.kind == emulator::AccessKind::load ? loads : stores;
            of_kind.insert(of_kind.end(), line.accesses, line.bytes_per_lane);
        }
    return in_words(loads, stores) + (trace.findings.empty() ? "" : " " + trace.findings[0].message);
}

} // namespace

int main() {
    int failed = 0;
    for (int i = 0; i < kernel_count; ++i) {
        kernels[i].launch();
        const std::string seen = observed();
        failed += seen != kernels[i].accesses;
        std::printf("%s: %s, seen: %s\n", kernels[i].name, kernels[i].accesses, seen.c_str());
    }
    return failed != 0;
}
