// A thread bomb: 400 threads of little stack that wait for each other.
#include "honest.h"

#include <pthread.h>

namespace exercise {
namespace {
void* rest(void*) {
    pause();
    return nullptr;
}
} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        int started = 0;
        pthread_attr_t small;
        pthread_attr_init(&small);
        pthread_attr_setstacksize(&small, 64 * 1024);
        for (pthread_t thread; started < 400 && pthread_create(&thread, &small, rest, nullptr) == 0;)
            ++started;
        if (started > 64) breach("threads");
    }
    return honest(table, ids, out);
}

} // namespace exercise
