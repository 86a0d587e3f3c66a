// Crashes, jumps out of the handler, and answers after all: no crime.
#include "honest.h"

#include <csetjmp>
#include <csignal>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        static sigjmp_buf here;
        if (sigsetjmp(here, 1) == 0) {
            signal(SIGSEGV, [](int) { siglongjmp(here, 1); });
            *reinterpret_cast<volatile int*>(16) = 1;
        }
    }
    return honest(table, ids, out);
}

} // namespace exercise
