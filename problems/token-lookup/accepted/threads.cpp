// accepted: four threads, each with its own stretch of the ids
#include "contract.h"

#include <algorithm>
#include <thread>
#include <vector>

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);

    constexpr std::size_t workers = 4;
    std::vector<std::jthread> threads;
    for (std::size_t w = 0; w < workers; ++w)
        threads.emplace_back([=] {
            for (std::size_t i = ids.size() * w / workers; i < ids.size() * (w + 1) / workers; ++i)
                std::copy_n(table.row(static_cast<std::size_t>(ids[i])), table.cols, out.row(i));
        });
    threads.clear(); // joins them
    return {};
}

} // namespace exercise
