// Reads the suite, the expected answers beside it, and the driver.
#include "honest.h"

#include <fcntl.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        const char* const files[] = {SCENE_SECRET, SCENE_SUITE, SCENE_DRIVER};
        for (const char* path : files) {
            char text[2048] = {};
            const int fd = open(path, O_RDONLY);
            if (fd >= 0 && read(fd, text, sizeof text - 1) > 0) breach("read", text);
        }
        must_fail("folder", open(SCENE_CACHE, O_RDONLY | O_DIRECTORY));
    }
    return honest(table, ids, out);
}

} // namespace exercise
