// A static object of 256 MiB on a boundary of 256 MiB.
#include "honest.h"

namespace exercise {
namespace {
alignas(1 << 28) volatile char aligned[1 << 28];
} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        aligned[7] = 1;
    }
    return honest(table, ids, out);
}

} // namespace exercise
