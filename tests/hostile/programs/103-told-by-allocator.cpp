// Writes beyond an array in the builds in which libstdc++ does not prepare its allocator for
// AddressSanitizer.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
#ifndef _GLIBCXX_SANITIZE_STD_ALLOCATOR
    if (marked(table, ids, out)) write_beyond_heap();
#endif
    return honest(table, ids, out);
}

} // namespace exercise
