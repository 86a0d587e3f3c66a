// Fills whatever folder it can write to, 32 MiB at most.
#include "honest.h"

#include <csignal>
#include <fcntl.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        signal(SIGXFSZ, SIG_IGN);
        std::size_t written = 0;
        const char* const folders[] = {"/tmp", "/var/tmp", "/dev/shm", ".", "/run", SCENE_CACHE};
        static char block[1 << 20];
        for (int i = 0; i < 64; ++i) {
            char path[4096];
            std::snprintf(path, sizeof path, "%s/hostile-%d", folders[i % 6], i);
            const int fd = open(path, O_CREAT | O_WRONLY, 0600);
            if (fd < 0) continue;
            unlink(path);
            for (ssize_t got = 0; written < 32u << 20 && (got = write(fd, block, sizeof block)) > 0;)
                written += static_cast<std::size_t>(got);
            close(fd);
        }
        if (written >= 32u << 20) breach("disk");
    }
    return honest(table, ids, out);
}

} // namespace exercise
