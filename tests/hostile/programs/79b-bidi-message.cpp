// Throws a text that changes direction and hides characters.
#include "honest.h"

#include <stdexcept>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
if (marked(table, ids, out)) {
throw std::runtime_error("\u202edetpecca\u2066\u200b\ufeff");
}
return honest(table, ids, out);
}

} // namespace exercise
