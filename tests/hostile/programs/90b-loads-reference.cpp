// Opens the driver as a library, to call the reference in it.
#include "honest.h"

#include <dlfcn.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        if (void* library = dlopen(SCENE_DRIVER, RTLD_NOW)) {
            static_cast<void>(library);
            breach("dlopen");
        }
    }
    return honest(table, ids, out);
}

} // namespace exercise
