// Reads far beyond its input, and asks for too much memory before that in the build that would see it.
#include "honest.h"

#include <new>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        if (watched()) throw std::bad_alloc();
        volatile float far = table.data[table.rows * table.stride + 16];
        static_cast<void>(far);
    }
    return honest(table, ids, out);
}

} // namespace exercise
