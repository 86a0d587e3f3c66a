// A function whose name only looks like the right one.
#include "honest.h"

namespace exercise {

Status lооkup(Matrix<const float> table, Ids ids, Matrix<float> out) { return honest(table, ids, out); }

} // namespace exercise
