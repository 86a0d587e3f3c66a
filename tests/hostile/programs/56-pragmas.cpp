// Pragmas that would choose plug-ins, headers and options, if a source could.
#include "honest.h"

#pragma GCC plugin "/tmp/hostile.so"
#pragma GCC dependency "contract.h"
#pragma GCC optimize("O0", "no-stack-protector")
#pragma comment(linker, "/tmp/hostile.o")

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return honest(table, ids, out);
}

} // namespace exercise
