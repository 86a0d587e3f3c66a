#pragma once

#include "system/process.h"

namespace sys {

/// The steps a child takes between fork and exec, in this order.
enum class Step {
    session,
    parent,
    group,
    identity,
    root,
    capabilities,
    fork,
    descriptors,
    directory,
    niceness,
    limits,
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
    int go_fd;     ///< readable once the parent has done its part; -1: it has none
    int status_fd; ///< where the first process of a namespace says how the worker ended; -1: there is none
    pid_t parent;  ///< its number as the child sees it; 0: in another process namespace
    int parent_fd; ///< in another process namespace: the parent's pidfd
    Identity ourselves; ///< who the parent is; a child in a new user namespace is nobody until that is mapped
};

/// Turns the calling process into the command, or reports the step that failed and ends with status 127.
[[noreturn]] void become(const ChildPlan& plan);

// Steps that the first process of a namespace takes as well.

/// Where `done` is false: writes the step and errno to `trouble_fd`, and ends the process.
void report_unless(bool done, Step step, int trouble_fd);
bool lead_own_session();
bool wait_for_parent(const ChildPlan& plan);
bool die_with_parent(const ChildPlan& plan);
bool enter_group(const Confinement* confinement);

} // namespace sys
