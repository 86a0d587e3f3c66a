// Throws an exception whose what() never comes back.
#include "honest.h"

#include <exception>

namespace exercise {
namespace {
struct Evil : std::exception {
    const char* what() const noexcept override {
        for (volatile bool forever = true; forever;) {
        }
        return "";
    }
};
} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        throw Evil{};
    }
    return honest(table, ids, out);
}

} // namespace exercise
