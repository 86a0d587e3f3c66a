// Writes to its own program, to the driver and to the cache, or changes who may.
#include "honest.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        const char* const files[] = {"/proc/self/exe", SCENE_DRIVER, SCENE_SUITE, SCENE_SECRET};
        for (const char* path : files) {
            must_fail(path, open(path, O_WRONLY));
            must_fail(path, chmod(path, 0644));
            must_fail(path, truncate(path, 1 << 20));
            must_fail(path, utimensat(AT_FDCWD, path, nullptr, 0));
            must_fail(path, setxattr(path, "user.hostile", "1", 1, 0));
        }
    }
    return honest(table, ids, out);
}

} // namespace exercise
