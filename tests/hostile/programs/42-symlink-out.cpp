// Plants links, folders and nodes for the trusted side to fall over.
#include "honest.h"

#include <sys/stat.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        must_fail("symlink", symlink("/etc/passwd", "hostile-out.json"));
        must_fail("symlink", symlink("/etc/passwd", "/tmp/hostile-out.json"));
        must_fail("link", link("/etc/passwd", "/tmp/hostile-passwd"));
        must_fail("mkdir", mkdir("/tmp/hostile-folder", 0700));
        must_fail("mknod", mknod("/tmp/hostile-pipe", S_IFIFO | 0600, 0));
        must_fail("rename", rename("/tmp/hostile-nothing", "/tmp/hostile-more") == 0 ? 0 : -1);
    }
    return honest(table, ids, out);
}

} // namespace exercise
