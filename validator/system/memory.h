#pragma once

#include "system/fd.h"

#include <cstdint>

namespace sys {

/// The process that runs a program: the one of this number, or with `first_of_namespace` its only child. 0
/// where /proc does not say.
int program_of(int pid, bool first_of_namespace);

/// Opens what tells a process's memory, likewise. An empty descriptor where /proc does not say.
Fd open_memory(int pid, bool first_of_namespace);

/// Resident memory behind such a descriptor, 0 once the process has ended. Of what it shares with others, up
/// to `lent_kib` does not count.
std::uint64_t resident_kib(const Fd& memory, std::uint64_t lent_kib = 0);

} // namespace sys
