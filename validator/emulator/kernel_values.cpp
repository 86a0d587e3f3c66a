#include "emulator/kernel_values.h"

#include <algorithm>

namespace emulator {

namespace {

struct Call {
    std::string_view name;
    int argument; ///< which of its arguments is the kernel
};

constexpr Call calls[] = {
    {"cudaLaunchKernel", 0}, {"cudaLaunchCooperativeKernel", 0}, {"cudaLaunchKernelEx", 1}};

/// The end of an argument: the comma or the parenthesis behind it.
std::size_t argument_end(const reader::TokenView& tokens, std::size_t begin, std::size_t close) {
    for (std::size_t i = begin; i < close; ++i) {
        if (tokens.is(i, ",")) return i;
        const std::size_t angle = tokens.is(i, "<") ? tokens.close_angle(i) : reader::no_token;
        i = angle != reader::no_token ? angle : tokens.skip(i);
    }
    return close;
}

/// Steps over a cast to a pointer, and the address operator, in front of a kernel's name.
void step_over_casts(const reader::TokenView& tokens, std::size_t& begin, std::size_t& end) {
    const auto holds_star = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i)
            if (tokens.is(i, "*")) return true;
        return false;
    };
    for (;;) {
        const bool cast = tokens.is(begin, "reinterpret_cast") || tokens.is(begin, "static_cast");
        const std::size_t angle = cast ? tokens.close_angle(begin + 1) : reader::no_token;
        if (tokens.is(begin, "(") && holds_star(begin, tokens.skip(begin)) && tokens.skip(begin) + 1 < end) {
            begin = tokens.skip(begin) + 1;
        } else if (angle != reader::no_token && tokens.is(angle + 1, "(")) {
            begin = angle + 2;
            --end;
        } else if (tokens.is(begin, "&")) {
            ++begin;
        } else {
            return;
        }
    }
}

} // namespace

void rewrite_kernel_values(const reader::TokenView& tokens, Edits& edits) {
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
        const auto call = std::find_if(std::begin(calls), std::end(calls),
                                       [&](const Call& c) { return tokens.is(i, c.name); });
        if (call == std::end(calls) || !tokens.is(i + 1, "(")) continue;
        const std::size_t close = tokens.partner(i + 1);
        if (close == reader::no_token) continue;
        std::size_t begin = i + 2, end = argument_end(tokens, begin, close);
        for (int skipped = 0; skipped < call->argument && end < close; ++skipped) {
            begin = end + 1;
            end = argument_end(tokens, begin, close);
        }
        std::size_t first = begin, last = end;
        step_over_casts(tokens, first, last);
        if (first >= last) continue;
        const std::string kernel = edits.flat(first, last);
        edits.remove(begin, end);
        edits.replace(begin, "::cuda_emulator::named(" + in_quotes(kernel) + ", " + kernel + ")");
    }
}

} // namespace emulator
