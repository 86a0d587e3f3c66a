// Asks for memory at absurd alignments.
#include "honest.h"

#include <new>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        for (int shift = 12; shift < 63; ++shift) {
            void* memory = nullptr;
            if (posix_memalign(&memory, std::size_t{1} << shift, 1) == 0) std::free(memory);
            std::free(::operator new (1, std::align_val_t{std::size_t{1} << shift}, std::nothrow));
        }
    }
    return honest(table, ids, out);
}

} // namespace exercise
