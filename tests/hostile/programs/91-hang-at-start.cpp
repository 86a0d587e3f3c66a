// A static object that never comes to an end.
#include "honest.h"

namespace exercise {
namespace {
struct Slow {
    Slow() { pause(); }
} const slow;
} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return honest(table, ids, out);
}

} // namespace exercise
