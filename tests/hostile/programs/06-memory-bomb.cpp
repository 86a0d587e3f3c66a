// Touches up to 1.5 GB, and goes on quietly when no more is to be had.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        constexpr std::size_t step = 16 << 20;
        void* blocks[96] = {};
        int have = 0;
        while (have < 96 && (blocks[have] = std::malloc(step)) != nullptr)
            std::memset(blocks[have++], 1, step);
        if (have == 96) breach("memory");
        while (have > 0)
            std::free(blocks[--have]);
    }
    return honest(table, ids, out);
}

} // namespace exercise
