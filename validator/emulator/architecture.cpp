#include "emulator/architecture.h"

#include <algorithm>

namespace emulator {

namespace {

constexpr std::string_view word = "__CUDA_ARCH__";
constexpr const char* value = "900"; ///< compute capability 9.0

bool in_host_function(const reader::Outline& outline, std::size_t i) {
    return std::any_of(outline.functions.begin(), outline.functions.end(), [i](const auto& function) {
        return !function.device && i > function.open && i < function.close;
    });
}

} // namespace

void rewrite_architecture(const reader::TokenView& tokens, const reader::Outline& outline, Edits& edits) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (!tokens.is(i, word)) continue;
        const bool host = in_host_function(outline, i);
        if (tokens.is(i - 1, "ifdef") || tokens.is(i - 1, "ifndef")) {
            edits.replace(i - 1, tokens.is(i - 1, "ifdef") == host ? "if 0" : "if 1");
            edits.remove(i, i + 1);
        } else if (tokens[i].directive && tokens.is(i - 1, "defined")) {
            edits.replace(i - 1, host ? "0" : "1");
            edits.remove(i, i + 1);
        } else if (tokens[i].directive && tokens.is(i - 1, "(") && tokens.is(i - 2, "defined")) {
            edits.replace(i - 2, host ? "0" : "1");
            edits.remove(i - 1, i + 2);
        } else if (tokens[i].directive || !host) {
            edits.replace(i, host ? "0" : value);
        }
    }
}

} // namespace emulator
