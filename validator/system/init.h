#pragma once

#include "system/child.h"

namespace sys {

/// What the first process of a new set of namespaces does: enters its sandbox root, starts the worker beside
/// itself, and waits for it. The kernel ends everything in the namespace together with this process.
///
/// The worker is not itself the first process because the kernel ignores a first process's own fatal signals:
/// abort() would not end it. What became of the worker is written to `plan.status_fd`, as from waitpid.
[[noreturn]] void run_init(const ChildPlan& plan);

/// For the parent of such a process, as root: makes it alone the unprivileged user `outer`.
/// Returns false with errno set.
bool map_identity(int pid, const Identity& outer);

/// Gives up all capabilities of the calling thread; without new privileges no program gets them back. False
/// with errno set.
bool drop_capabilities();

/// The namespaces of a sandbox, as flags of clone.
unsigned long sandbox_namespaces();

/// Moves the calling process from the host's network into an empty one; one with several threads stays where
/// it is, since only the calling thread would move.
/// Sandboxes made from then on share it: a network is by far the most expensive part of a sandbox, and
/// no worker can open a socket in any. Returns false, with nothing changed, where it cannot be done.
/// Throws model::EnvironmentError where it cannot be done by half.
bool leave_network();

} // namespace sys
