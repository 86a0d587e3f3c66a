#pragma once

#include "observed.h"

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

/// What the one kernel of a program without findings moves.
inline emulator::KernelTraffic traffic(int (*kernel)()) {
    CHECK(kernel() == cudaSuccess);
    const auto trace = observe();
    CHECK(trace.findings.empty());
    REQUIRE(trace.kernels.size() == 1);
    return trace.kernels[0];
}

/// What the line of kernels/faults.cu moves that carries the comment "// line: mark".
inline const emulator::LineTraffic& line(const emulator::KernelTraffic& kernel, const std::string& mark,
                                         emulator::AccessKind kind, bool shared = false) {
    const auto found =
        std::find_if(kernel.lines.begin(), kernel.lines.end(), [&](const emulator::LineTraffic& l) {
            return l.where.line == line_of(mark) && l.kind == kind && l.shared == shared;
        });
    REQUIRE(found != kernel.lines.end());
    return *found;
}
