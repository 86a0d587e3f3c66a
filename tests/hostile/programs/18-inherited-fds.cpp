// Looks for descriptors that were left open, and for what hides behind its own.
#include "honest.h"

#include <fcntl.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        for (int fd = 6; fd < 4096; ++fd)
            must_fail("descriptor", fcntl(fd, F_GETFD));
        char text[64];
        if (read(0, text, sizeof text) > 0) breach("stdin", text);
    }
    return honest(table, ids, out);
}

} // namespace exercise
