// Takes its function out of the sanitizers, and writes past the end.
#include "honest.h"

namespace exercise {

[[gnu::no_sanitize("address", "undefined")]] Status lookup(Matrix<const float> table, Ids ids,
                                                           Matrix<float> out) {
    if (marked(table, ids, out)) out.data[out.rows * out.stride] = 1;
    return honest(table, ids, out);
}

} // namespace exercise
