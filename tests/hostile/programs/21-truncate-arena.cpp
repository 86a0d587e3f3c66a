// Takes the shared memory away under the judge.
#include "arena.h"
#include "honest.h"

#include <fcntl.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        must_fail("ftruncate", ftruncate(arena_fd, 0));
        must_fail("fallocate", fallocate(arena_fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 0, 1 << 20));
        must_fail("seals", fcntl(arena_fd, F_ADD_SEALS, F_SEAL_FUTURE_WRITE));
    }
    return honest(table, ids, out);
}

} // namespace exercise
