#include "emulator/worker.h"

#include <cstdio>

/// Tries each feature of a file under every order of threads that there is; a line for each, and whether it
/// worked and left no finding.
struct Feature {
    const char* name;
    bool (*works)();
};
extern const Feature features[];
extern const int feature_count;

int main() {
    constexpr std::uint32_t orders = 4;
    int failed = 0;
    for (int i = 0; i < feature_count; ++i) {
        bool works = true;
        for (std::uint32_t order = 0; order < orders; ++order) {
            emulator::shift_orders(order);
            works = features[i].works() && works;
        }
        const emulator::Trace trace = emulator::take_trace();
        std::printf("%s %s\n", features[i].name, works && trace.findings.empty() ? "works" : "fails");
        for (const emulator::Finding& finding : trace.findings)
            std::printf("  %s\n", finding.message.c_str());
        failed += !works || !trace.findings.empty();
        emulator::reset_device();
    }
    return failed;
}
