#pragma once

#include "system/fd.h"

#include <cstdint>
#include <string>

namespace sys {

struct Pipe {
    Fd read;
    Fd write;
};

/// A close-on-exec pipe. Throws model::EnvironmentError.
Pipe make_pipe();

void set_nonblocking(int fd);

/// Reads what is there, from a descriptor that does not block, into `text`. Returns false once the writers
/// are gone; sets `exceeded`, and keeps the first `most` bytes, when there was more than that.
bool drain(int fd, std::string& text, std::uint64_t most, bool& exceeded);

} // namespace sys
