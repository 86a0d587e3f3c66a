// Leaves a thread behind that spoils the output after the answer was taken.
#include "honest.h"

#include <thread>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (marked(table, ids, out)) {
        const Status status = honest(table, ids, out);
        std::thread([out] {
            usleep(20'000);
            for (int round = 0; round < 100; ++round)
                std::memset(out.data, 0, out.rows * out.stride * sizeof(float));
        }).detach();
        return status;
    }
    return honest(table, ids, out);
}

} // namespace exercise
