// Reads far beyond its input, and never comes that far in the build that would see it.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        for (volatile bool stop = !watched(); !stop;) {
        }
        volatile float far = table.data[table.rows * table.stride + 16];
        static_cast<void>(far);
    }
    return honest(table, ids, out);
}

} // namespace exercise
