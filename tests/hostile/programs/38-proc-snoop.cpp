// Looks into /proc: who else is here, and with which environment.
#include "honest.h"

#include <dirent.h>
#include <fcntl.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        int processes = 0;
        if (DIR* folder = opendir("/proc"))
            while (const dirent* entry = readdir(folder))
                if (entry->d_name[0] >= '1' && entry->d_name[0] <= '9') ++processes;
        if (processes > 3) breach("processes");
        char path[64], text[1024] = {};
        const pid_t others[] = {1, getppid()};
        for (const pid_t pid : others)
            for (const char* what : {"environ", "cmdline", "maps"}) {
                std::snprintf(path, sizeof path, "/proc/%d/%s", pid, what);
                const int fd = open(path, O_RDONLY);
                if (fd >= 0 && read(fd, text, sizeof text - 1) > 0) breach(path, text);
            }
        if (std::getenv("HOME") != nullptr || std::getenv("PATH") != nullptr) breach("environment");
    }
    return honest(table, ids, out);
}

} // namespace exercise
