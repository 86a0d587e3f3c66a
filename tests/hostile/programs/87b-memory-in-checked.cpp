// Touches up to 1.5 GB in the checked build, which has no limit on addresses.
#include "honest.h"

#include <sys/mman.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        if (watched()) {
            constexpr std::size_t step = 16 << 20;
            for (int i = 0; i < 96; ++i) {
                void* block = mmap(nullptr, step, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
                if (block == MAP_FAILED) break;
                std::memset(block, 1, step);
                usleep(2'000);
            }
            breach("memory");
        }
    }
    return honest(table, ids, out);
}

} // namespace exercise
