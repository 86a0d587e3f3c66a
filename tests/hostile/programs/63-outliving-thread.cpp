// Leaves a thread behind that computes for ever.
#include "honest.h"

#include <thread>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        std::thread([] {
            for (volatile bool forever = true; forever;) {
            }
        }).detach();
    }
    return honest(table, ids, out);
}

} // namespace exercise
