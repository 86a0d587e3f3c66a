#pragma once

#include "emulator/rewrite.h"

#include <doctest/doctest.h>

#include <string>

/// What the rewriter makes of a source without errors.
inline std::string rewritten(const std::string& source) {
    const auto result = emulator::rewrite(source, "a.cu");
    for (const auto& error : result.errors)
        FAIL_CHECK("line " << error.line << ": " << error.message);
    const std::string head = "#line 1 \"a.cu\"\n";
    REQUIRE(result.text.starts_with(head));
    return result.text.substr(head.size());
}
