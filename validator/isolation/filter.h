#pragma once

#include <linux/filter.h>
#include <vector>

namespace isolation {

/// The system calls a worker may make: an allow-list; everything else answers EPERM. No process, socket,
/// memfd, key or namespace can be made, no signal reaches another process, no limit can be changed. One
/// `execveat` of the program's own descriptor is let through, which is closed by that very call.
const std::vector<sock_filter>& worker_filter();

/// The system calls a worker with a GPU's driver may make: those of a worker, and what it takes to speak with
/// the kernel's part of that driver. Still no process, no socket, and no way to another one.
const std::vector<sock_filter>& gpu_filter();

/// The system calls a launcher with a worker below it may make: those of a worker with a GPU's driver, and
/// what it takes to start processes and to speak with them through sockets that have a path. In namespaces of
/// its own alone, where no other process and no other socket can be named.
const std::vector<sock_filter>& launcher_filter();

/// The system calls a compiler may make: those of a worker, and what it takes to start its own programs and
/// to make files. Everything else answers EPERM.
const std::vector<sock_filter>& compiler_filter();

/// The system calls a debugger may make: those of a compiler, and what it takes to trace a program and to use
/// a terminal that it was given. Nothing can be typed into that terminal.
const std::vector<sock_filter>& debugger_filter();

} // namespace isolation
