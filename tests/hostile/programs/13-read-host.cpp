// Reads files of the machine.
#include "honest.h"

#include <fcntl.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        const char* const files[] = {"/etc/passwd", "/etc/shadow", "/etc/hostname", "/proc/version",
                                     "/root/.bashrc"};
        for (const char* path : files)
            must_fail(path, open(path, O_RDONLY));
    }
    return honest(table, ids, out);
}

} // namespace exercise
