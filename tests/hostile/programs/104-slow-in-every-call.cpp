// Takes its time in every call, and never so much that the call alone is too long.
#include "honest.h"

#include <ctime>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 5;
    while (std::clock() < end) {
    }
    return honest(table, ids, out);
}

} // namespace exercise
