// Blocks and ignores every signal there is, and spins.
#include "honest.h"

#include <csignal>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        sigset_t all;
        sigfillset(&all);
        sigprocmask(SIG_SETMASK, &all, nullptr);
        for (int number = 1; number < 65; ++number)
            signal(number, SIG_IGN);
        for (volatile bool forever = true; forever;) {
        }
    }
    return honest(table, ids, out);
}

} // namespace exercise
