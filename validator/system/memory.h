#pragma once

#include "system/fd.h"

#include <chrono>
#include <cstdint>

namespace sys {

/// Opens what tells a process's memory. `first_of_namespace`: the process meant is its only child instead.
/// An empty descriptor where /proc does not say.
Fd open_memory(int pid, bool first_of_namespace);

/// Resident memory behind such a descriptor, 0 once the process has ended. Of what it shares with others, up
/// to `lent_kib` does not count.
std::uint64_t resident_kib(const Fd& memory, std::uint64_t lent_kib = 0);

/// How long a process's first thread was ready to run and had to wait for a core, since its start; 0 where
/// the kernel does not say. `first_of_namespace` as above.
std::chrono::nanoseconds waited_for_core(int pid, bool first_of_namespace);

} // namespace sys
