// 100 functions that are not defined, each with a parameter's type of 28,000 letters once the linker writes
// it.
#include "honest.h"

template <class A, class B>
struct P;
struct T0;
using T1 = P<T0, T0>;
using T2 = P<T1, T1>;
using T3 = P<T2, T2>;
using T4 = P<T3, T3>;
using T5 = P<T4, T4>;
using T6 = P<T5, T5>;
using T7 = P<T6, T6>;
using T8 = P<T7, T7>;
using T9 = P<T8, T8>;
using T10 = P<T9, T9>;
using T11 = P<T10, T10>;
using T12 = P<T11, T11>;

#define W0(n)                                                                                                \
    void undefined##n(T12*);                                                                                 \
    undefined##n(nullptr);
#define W1(n) W0(n##0) W0(n##1) W0(n##2) W0(n##3) W0(n##4) W0(n##5) W0(n##6) W0(n##7) W0(n##8) W0(n##9)
#define W2(n) W1(n##0) W1(n##1) W1(n##2) W1(n##3) W1(n##4) W1(n##5) W1(n##6) W1(n##7) W1(n##8) W1(n##9)

void use() {
    W2(_)
}

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return honest(table, ids, out);
}

} // namespace exercise
