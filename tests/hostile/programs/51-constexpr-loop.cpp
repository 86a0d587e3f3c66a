// A loop without end that the compiler has to run.
#include "contract.h"

constexpr int forever() {
    int sum = 0;
    for (unsigned i = 0; i < 4'000'000'000U; ++i)
        sum ^= static_cast<int>(i);
    return sum;
}
constexpr int value = forever();
