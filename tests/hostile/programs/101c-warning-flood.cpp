// 10,000 warnings of the compiler. It is not preprocessed by itself.
#include "honest.h"

[[deprecated]] void old();

#define W0 old();
#define W1 W0 W0 W0 W0 W0 W0 W0 W0 W0 W0
#define W2 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1
#define W3 W2 W2 W2 W2 W2 W2 W2 W2 W2 W2
#define W4 W3 W3 W3 W3 W3 W3 W3 W3 W3 W3

void use() {
    W4
}

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return honest(table, ids, out);
}

} // namespace exercise
