// Templates that double at each step.
#include "contract.h"

template <int N, int M>
struct Twice {
    static constexpr int value = Twice<N - 1, 2 * M>::value + Twice<N - 1, 2 * M + 1>::value;
};
template <int M>
struct Twice<0, M> {
    static constexpr int value = M;
};
const int large = Twice<2000, 0>::value;
