#include "runtime/findings.h"

#include <utility>

namespace cuda_emulator {

namespace {
constexpr std::size_t max_findings = 64;
std::vector<emulator::Finding> findings;
} // namespace

emulator::Counters counters;

void report(emulator::Finding finding) {
    for (auto& known : findings) {
        if (known.kind == finding.kind && known.kernel == finding.kernel && known.where == finding.where &&
            known.other == finding.other) {
            known.count += finding.count;
            return;
        }
    }
    if (findings.size() < max_findings) findings.push_back(std::move(finding));
}

std::vector<emulator::Finding> take_findings() {
    return std::exchange(findings, {});
}

std::string count_of(std::uint64_t number, const char* noun) {
    return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

} // namespace cuda_emulator
