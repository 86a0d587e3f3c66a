// Types commands into the terminal it was started from.
#include "honest.h"

#include <fcntl.h>
#include <sys/ioctl.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        const char command = '\n';
        for (int fd = 0; fd < 3; ++fd)
            must_fail("TIOCSTI", ioctl(fd, 0x5412, &command));
        must_fail("terminal", open("/dev/tty", O_RDWR));
    }
    return honest(table, ids, out);
}

} // namespace exercise
