// Brings build files, flags and a header of its own beside an honest answer; only lookup.cpp is the judge's
// business.
#include "honest.h"

#if __has_include("own.h")
#error "BREACH: a header of the submission was compiled"
#endif
#ifdef HOSTILE
#error "BREACH: a flag of the submission was used"
#endif

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return honest(table, ids, out);
}

} // namespace exercise
