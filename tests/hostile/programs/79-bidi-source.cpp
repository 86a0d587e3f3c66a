// Hides a missing check behind text that changes direction.
#include "honest.h"

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {

/*‮ } ⁦if (checked)⁩ ⁦ begin all is well */
const Status status = honest(table, ids, out);
if (status.code != Code::ok) return {}; /* end all is well ‮ { ⁦*/
return status;
}

} // namespace exercise
