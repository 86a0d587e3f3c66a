// Raises its own limits.
#include "honest.h"

#include <sys/resource.h>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        for (const int which :
             {RLIMIT_AS, RLIMIT_CPU, RLIMIT_FSIZE, RLIMIT_NOFILE, RLIMIT_NPROC, RLIMIT_CORE}) {
            const rlimit most{RLIM_INFINITY, RLIM_INFINITY};
            must_fail("setrlimit", setrlimit(static_cast<__rlimit_resource>(which), &most));
            must_fail("prlimit", prlimit(0, static_cast<__rlimit_resource>(which), &most, nullptr));
            rlimit same{};
            getrlimit(static_cast<__rlimit_resource>(which), &same);
            must_fail("setrlimit", setrlimit(static_cast<__rlimit_resource>(which), &same));
        }
        must_fail("nice", nice(0) == 0 ? setpriority(PRIO_PROCESS, 0, 0) : -1);
    }
    return honest(table, ids, out);
}

} // namespace exercise
