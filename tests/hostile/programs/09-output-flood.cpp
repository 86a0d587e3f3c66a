// Prints up to 256 MB.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        static char line[1 << 16];
        std::memset(line, 'x', sizeof line);
        for (int i = 0; i < 4096; ++i)
            if (write(1 + i % 2, line, sizeof line) < 0) break;
    }
    return honest(table, ids, out);
}

} // namespace exercise
