// wrong: rows of 4,096 values or more are copied by a detached thread, so the call returns before out is written and the views are used after it; a right one has done its work when it returns
#include "contract.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <thread>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    if (out.empty()) return;
    const float* from = table.row(r);
    if (out.size() < 4096)
        std::copy_n(from, out.size(), out.begin());
    else
        std::thread([from, out] { std::copy_n(from, out.size(), out.begin()); }).detach();
}

} // namespace exercise
