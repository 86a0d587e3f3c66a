#pragma once

#include "system/process.h"

namespace sys {

/// The steps a child takes between fork and exec, in this order.
enum class Step {
    session,
    descriptors,
    directory,
    limits,
    identity,
    parent,
    no_new_privileges,
    landlock,
    filter,
    execute
};

const char* name(Step step);

/// What a child that could not become the program writes to `trouble_fd`.
struct Trouble {
    Step step;
    int error;
};

/// Everything the child needs, laid out before the fork: after it, only system calls are safe.
struct ChildPlan {
    const Command& command;
    char* const* argv;
    char* const* envp;
    int trouble_fd;
    pid_t parent;
};

/// Turns the calling process into the command, or reports the step that failed and ends with status 127.
[[noreturn]] void become(const ChildPlan& plan);

} // namespace sys
