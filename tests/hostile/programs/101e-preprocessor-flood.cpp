// 20,000 warnings of the preprocessor, which runs by itself because words are pasted.
#include "honest.h"

#define PUT(a, b) a##b
#define W0 _Pragma("GCC warning \"a warning that is as long as it takes to fill any pipe\"")
#define W1 W0 W0 W0 W0 W0 W0 W0 W0 W0 W0
#define W2 W1 W1 W1 W1 W1 W1 W1 W1 W1 W1
#define W3 W2 W2 W2 W2 W2 W2 W2 W2 W2 W2
#define W4 W3 W3 W3 W3 W3 W3 W3 W3 W3 W3
W4 W4 static_assert(true);

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return honest(table, ids, out);
}

} // namespace exercise
