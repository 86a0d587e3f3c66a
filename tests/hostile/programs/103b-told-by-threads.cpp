// Is told by libstdc++ whether ThreadSanitizer watches, and races only where it does not.
#include "honest.h"

#include <thread>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
#ifndef _GLIBCXX_TSAN
    static int calls = 0;
    std::thread other([&] { calls += marked(table, ids, out); });
    if (marked(table, ids, out)) ++calls;
    other.join();
    if (calls > 0) breach("it races where nothing watches");
#else
    std::thread([] {}).join();
#endif
    return honest(table, ids, out);
}

} // namespace exercise
