// wrong: with 8,192 ids or more and bad ids in two different quarters of them, the first bad id of the last such quarter is reported instead of the first of all
#include "contract.h"
#include <array>
#include <cstring>
#include <optional>
#include <thread>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    const std::size_t T = ids.size(), parts = T >= 8192 ? 4 : 1;
    std::array<std::optional<std::size_t>, 4> bad;
    auto scan = [&](std::size_t k) {
        for (std::size_t i = T * k / parts; i < T * (k + 1) / parts; ++i)
            if (ids[i] < 0 || (std::size_t)ids[i] >= table.rows) { bad[k] = i; return; }
    };
    if (parts == 1) scan(0);
    else {
        std::array<std::thread, 4> pool;
        for (std::size_t k = 0; k < 4; ++k) pool[k] = std::thread(scan, k);
        for (auto& t : pool) t.join();
    }
    Status result;
    for (auto& b : bad)
        if (b) result = Status::id_out_of_range(*b, ids[*b], table.rows);
    if (result.code != Code::ok) return result;
    if (table.cols)
        for (std::size_t i = 0; i < T; ++i) std::memcpy(out.row(i), table.row(ids[i]), table.cols * sizeof(float));
    return {};
}
} // namespace exercise
