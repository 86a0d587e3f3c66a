// Asks the preprocessor whether a secret file is there.
#include "honest.h"

#if __has_include(SCENE_SECRET)
#define THERE true
#else
#define THERE false
#endif

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (THERE) breach("__has_include");
    return honest(table, ids, out);
}

} // namespace exercise
