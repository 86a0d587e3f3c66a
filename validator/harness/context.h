#pragma once

#include <string>

namespace harness {

/// What is going on while it lives: the sizes of a draw, or a call and its circumstance. Findings carry it.
class ContextScope {
  public:
    explicit ContextScope(std::string words);
    ContextScope(const ContextScope&) = delete;
    ContextScope& operator=(const ContextScope&) = delete;
    ~ContextScope();
};

/// What all scopes say, the outermost first, and then the suite's own INFO and CAPTURE lines.
std::string current_context();

} // namespace harness
