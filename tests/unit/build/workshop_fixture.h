#pragma once

#include "setup.h"

#include <algorithm>

namespace test {

inline bool mentions(const build::Built& built, const std::string& text) {
    return std::ranges::any_of(built.diagnostics, [&](const model::Diagnostic& d) {
        return d.message.find(text) != std::string::npos || d.explanation.find(text) != std::string::npos;
    });
}

/// Opened once: trying out the compiler and precompiling take a few seconds.
struct Fixture {
    Setup setup;
    std::vector<std::string> progress;
    build::Workshop workshop{
        setup.layout, {[this](std::string_view text) { progress.emplace_back(text); }, {}}, setup.cache()};
    Fixture() { setup.make_objects(workshop.toolchain()); }

    build::Built build(const std::string& text, build::Variant variant = build::Variant::optimised,
                       int cancel_fd = -1) const {
        return build_worker(workshop, setup.problem, setup.table(), submission(text), variant, cancel_fd);
    }
};

inline Fixture& fixture() {
    static Fixture instance;
    return instance;
}

} // namespace test
