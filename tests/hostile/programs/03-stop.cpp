// Stops its own process: no time limit on CPU time would ever end it.
#include "honest.h"

#include <csignal>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        std::raise(SIGSTOP);
    }
    return honest(table, ids, out);
}

} // namespace exercise
