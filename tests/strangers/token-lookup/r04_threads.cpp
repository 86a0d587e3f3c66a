// right: checks and copies with two threads from 1,000 ids on, taking the smallest bad index; both are joined
#include "contract.h"
#include <algorithm>
#include <thread>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const std::size_t T = ids.size(), mid = T / 2;
    std::size_t bad[2] = {T, T};
    auto check = [&](std::size_t a, std::size_t b, std::size_t* where) {
        for (; a < b; ++a)
            if (ids[a] < 0 || (std::size_t)ids[a] >= table.rows) { *where = a; return; }
    };
    auto copy = [&](std::size_t a, std::size_t b) {
        if (table.cols)
            for (; a < b; ++a) std::copy_n(table.row((std::size_t)ids[a]), table.cols, out.row(a));
    };
    if (T < 1000) check(0, T, bad);
    else { std::thread other(check, mid, T, bad + 1); check(0, mid, bad); other.join(); }
    const std::size_t first = std::min(bad[0], bad[1]);
    if (first < T) return Status::id_out_of_range(first, ids[first], table.rows);
    if (T < 1000) copy(0, T);
    else { std::thread other(copy, mid, T); copy(0, mid); other.join(); }
    return {};
}
} // namespace exercise
