// Switches address randomisation off and executable data on.
#include "honest.h"

#include <sys/personality.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        must_fail("personality", personality(ADDR_NO_RANDOMIZE | READ_IMPLIES_EXEC));
    }
    return honest(table, ids, out);
}

} // namespace exercise
