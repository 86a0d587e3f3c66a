// Starts another program, with a library of its own in front.
#include "honest.h"

#include <fcntl.h>
#include <sys/syscall.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        char name[] = "/usr/bin/id";
        char* const arguments[] = {name, nullptr};
        char preload[] = "LD_PRELOAD=/tmp/hostile.so";
        char* const environment[] = {preload, nullptr};
        execve(name, arguments, environment);
        execve("/bin/sh", arguments, environment);
        syscall(SYS_execveat, AT_FDCWD, name, arguments, environment, 0);
        execve("/proc/self/exe", arguments, environment);
    }
    return honest(table, ids, out);
}

} // namespace exercise
