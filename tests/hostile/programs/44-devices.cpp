// Opens devices.
#include "honest.h"

#include <fcntl.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        const char* const devices[] = {"/dev/ptmx",    "/dev/vda",          "/dev/sda",  "/dev/kmsg",
                                       "/dev/mem",     "/dev/tty",          "/dev/fuse", "/dev/kvm",
                                       "/dev/net/tun", "/dev/loop-control", "/dev/full", "/dev/zero"};
        for (const char* path : devices)
            must_fail(path, open(path, O_RDWR));
    }
    return honest(table, ids, out);
}

} // namespace exercise
