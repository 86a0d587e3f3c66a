// The same without using any CPU time.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    usleep(200'000);
    return honest(table, ids, out);
}

} // namespace exercise
