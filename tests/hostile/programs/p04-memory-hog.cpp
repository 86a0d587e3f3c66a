// Asks for more memory than the limit, and touches it.
#include "honest.h"

#include <vector>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        std::vector<std::vector<char>> hoard;
        while (hoard.size() < 96)
            hoard.emplace_back(16 << 20, 'x');
    }
    return honest(table, ids, out);
}

} // namespace exercise
