// wrong: from 1,024 ids on four threads check a quarter each and the result of the last quarter that found something is returned, so with bad ids in two quarters a later one is reported
#include "contract.h"
#include <algorithm>
#include <array>
#include <thread>
#include <vector>

namespace exercise {

static Status check(Ids ids, std::size_t first, std::size_t last, std::size_t V) {
    for (std::size_t i = first; i < last; ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= V) return Status::id_out_of_range(i, ids[i], V);
    return Status{};
}

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t T = ids.size();
    if (out.rows != T || out.cols != table.cols) return Status{Code::shape_mismatch};
    Status result;
    if (T < 1024) {
        result = check(ids, 0, T, table.rows);
    } else {
        std::array<Status, 4> found;
        std::vector<std::thread> team;
        for (std::size_t q = 0; q < 4; ++q)
            team.emplace_back([&, q] { found[q] = check(ids, T * q / 4, T * (q + 1) / 4, table.rows); });
        for (std::thread& member : team)
            member.join();
        for (const Status& status : found)
            if (status.code != Code::ok) result = status;
    }
    if (result.code != Code::ok) return result;
    for (std::size_t i = 0; i < T; ++i)
        std::copy_n(table.row(static_cast<std::size_t>(ids[i])), table.cols, out.row(i));
    return result;
}

} // namespace exercise
