// Throws an exception with a text of 16 MB.
#include "honest.h"

#include <stdexcept>
#include <string>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        throw std::runtime_error(std::string(16 << 20, 'A'));
    }
    return honest(table, ids, out);
}

} // namespace exercise
