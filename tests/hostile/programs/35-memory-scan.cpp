// Searches the shared memory and the stack for the expected rows, which nobody could have put there but the
// judge.
#include "honest.h"

#include "arena.h"
#include <algorithm>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        // The last two values of row 3 and the first of row 5: adjacent in the answer, and nowhere in the
        // question.
        const float wanted[3] = {3.1F, 3.2F, 5.0F};
        const auto scan = [&](const unsigned char* from, std::size_t size) {
            for (std::size_t at = 0; at + sizeof wanted <= size; at += 4)
                if (from + at != reinterpret_cast<const unsigned char*>(wanted) &&
                    std::memcmp(from + at, wanted, sizeof wanted) == 0)
                    breach("expected values");
        };
        scan(arena(), std::min<std::size_t>(arena_bytes(), 4 << 20));
    }
    return honest(table, ids, out);
}

} // namespace exercise
