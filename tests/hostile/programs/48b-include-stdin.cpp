// Includes what the compiler reads from its standard input, which is nothing.
#include "honest.h"

#include "/dev/stdin"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return honest(table, ids, out);
}

} // namespace exercise
