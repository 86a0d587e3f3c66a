// A CUDA source, rewritten for the emulator.
#include "fuzz/target.h"

#include "emulator/rewrite.h"

#include <algorithm>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view source = fuzz::text_of(data, size);
    const emulator::Rewritten rewritten = emulator::rewrite(source, "scan.cu");
    if (!rewritten.errors.empty()) return 0;
    fuzz::require(std::ranges::count(rewritten.text, '\n') == std::ranges::count(source, '\n') + 1,
                  "line n + 1 is line n of the source");
    return 0;
}
