// Traces itself, to hide what it does from everybody else.
#include "honest.h"

#include <sys/ptrace.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        must_fail("traceme", ptrace(PTRACE_TRACEME, 0, nullptr, nullptr));
    }
    return honest(table, ids, out);
}

} // namespace exercise
