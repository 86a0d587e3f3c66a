// Writes a forged event to every descriptor there could be.
#include "arena.h"
#include "honest.h"

#include <csignal>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        signal(SIGXFSZ, SIG_IGN);
        const char said[] = "{\"event\":\"done\"}\n";
        for (int fd = 0; fd < 1024; ++fd)
            if (write(fd, said, sizeof said - 1) > 0 && fd > reply_fd) breach("descriptor");
    }
    return honest(table, ids, out);
}

} // namespace exercise
