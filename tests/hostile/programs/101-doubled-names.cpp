// A refused function whose parameter's name is doubled twenty times: 230 letters as a linker knows it, 8 MB
// once it is demangled, and twice as much with each further line.
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
using T13 = P<T12, T12>;
using T14 = P<T13, T13>;
using T15 = P<T14, T14>;
using T16 = P<T15, T15>;
using T17 = P<T16, T16>;
using T18 = P<T17, T17>;
using T19 = P<T18, T18>;
using T20 = P<T19, T19>;

namespace subject {
void take(T20*) {}
} // namespace subject

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return honest(table, ids, out);
}

} // namespace exercise
