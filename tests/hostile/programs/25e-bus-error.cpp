// Uses a mapping beyond the end of its file.
#include "honest.h"

#include <csignal>
#include <sys/mman.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        void* beyond = mmap(nullptr, 8192, PROT_READ, MAP_PRIVATE, 3, static_cast<off_t>(1) << 40);
        if (beyond == MAP_FAILED) std::raise(SIGBUS);
        std::printf("%d", *static_cast<volatile char*>(beyond));
    }
    return honest(table, ids, out);
}

} // namespace exercise
