// 10,000 messages that are no warnings.
#include "honest.h"

#define W0 _Pragma("message(\"a message that is as long as it takes to fill any pipe\")")
#define W1 W0 W0 W0 W0 W0 W0 W0 W0 W0 W0
#define W2 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1
#define W3 W2 W2 W2 W2 W2 W2 W2 W2 W2 W2
#define W4 W3 W3 W3 W3 W3 W3 W3 W3 W3 W3
W4 static_assert(true);

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return honest(table, ids, out);
}

} // namespace exercise
