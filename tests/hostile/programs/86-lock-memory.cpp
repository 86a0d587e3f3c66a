// Pins memory, moves pages, and asks for huge ones.
#include "honest.h"

#include <sys/mman.h>
#include <sys/syscall.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        must_fail("mlockall", mlockall(MCL_CURRENT | MCL_FUTURE));
        must_fail("move_pages", syscall(SYS_move_pages, getppid(), 0, 0, 0, 0, 0));
        must_fail("process_madvise", syscall(440, 3, 0, 0, 20, 0));
        must_fail("remap_file_pages", syscall(SYS_remap_file_pages, 0, 0, 0, 0, 0));
        if (mmap(nullptr, 1ULL << 40, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
            MAP_FAILED)
            breach("address space");
    }
    return honest(table, ids, out);
}

} // namespace exercise
