// Throws an exception whose what() is a null pointer.
#include "honest.h"

#include <exception>

namespace exercise {
namespace {
struct Evil : std::exception {
    const char* what() const noexcept override { return nullptr; }
};
} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        throw Evil{};
    }
    return honest(table, ids, out);
}

} // namespace exercise
