// accepted: a second thread copies the second half
#include "contract.h"

#include <algorithm>
#include <thread>

namespace exercise {

void copy_row(Matrix<const float> table, std::size_t r, std::span<float> out) {
    const std::size_t half = table.cols / 2;
    const float* from = table.row(r);
    std::jthread other([=] {
        std::copy_n(from + half, table.cols - half, out.begin() + static_cast<std::ptrdiff_t>(half));
    });
    std::copy_n(from, half, out.begin());
}

} // namespace exercise
