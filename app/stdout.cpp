#include "app/stdout.h"

#include "model/errors.h"

#include <cerrno>
#include <cstring>
#include <iostream>
#include <string>
#include <unistd.h>

namespace app {
namespace {

std::string reason(int error) {
    switch (error) {
    case EPIPE: return "the program that reads it has ended";
    case EBADF: return "it is closed";
    case ENOSPC: return "the disk is full";
    case EFBIG: return "the file may not grow any further (ulimit -f)";
    case 0: return "it was not taken";
    default: return std::strerror(error);
    }
}

} // namespace

void flush_stdout() {
    if (std::cout.flush()) return;
    // The stream does not keep the reason; the descriptor, tried again, says it.
    const int error = ::write(STDOUT_FILENO, "\n", 1) == 1 ? 0 : errno;
    throw model::EnvironmentError("cannot write to stdout: " + reason(error));
}

} // namespace app
