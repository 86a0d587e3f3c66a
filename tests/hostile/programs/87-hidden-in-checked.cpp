// Reads hidden files, but only in the checked build.
#include "honest.h"

#include <fcntl.h>
#include <sys/socket.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        if (watched()) {
            const char* const files[] = {SCENE_SECRET,
                                         SCENE_SUITE,
                                         SCENE_DRIVER,
                                         "/etc/passwd",
                                         "/proc/self/root/etc/passwd",
                                         "/proc/self/cwd/etc/passwd"};
            for (const char* path : files) {
                char text[2048] = {};
                const int fd = open(path, O_RDONLY);
                if (fd >= 0 && read(fd, text, sizeof text - 1) > 0) breach("read", text);
            }
            must_fail("mem", open("/proc/self/mem", O_RDWR));
            must_fail("socket", socket(AF_INET, SOCK_STREAM, 0));
            const pid_t child = fork();
            if (child == 0) _exit(0);
            must_fail("fork", child);
        }
    }
    return honest(table, ids, out);
}

} // namespace exercise
