// wrong: from 4,096 ids on, four threads check a quarter each, and the one that ends last overwrites what the others found, so with bad ids in several quarters the reported one need not be the first; a right one takes the smallest index
#include "contract.h"

#include <algorithm>
#include <array>
#include <mutex>
#include <thread>

namespace exercise {

namespace {

constexpr std::size_t nowhere = static_cast<std::size_t>(-1);

std::size_t search(Ids ids, std::size_t first, std::size_t last, std::size_t vocabulary) {
    for (std::size_t i = first; i < last; ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= vocabulary) return i;
    return nowhere;
}

std::size_t first_bad(Ids ids, std::size_t vocabulary) {
    if (ids.size() < 4096) return search(ids, 0, ids.size(), vocabulary);
    std::size_t found = nowhere;
    std::mutex guard;
    std::array<std::thread, 4> team;
    const std::size_t share = (ids.size() + 3) / 4;
    for (std::size_t w = 0; w < 4; ++w)
        team[w] = std::thread([&, w] {
            const std::size_t first = std::min(w * share, ids.size());
            const std::size_t bad = search(ids, first, std::min(first + share, ids.size()), vocabulary);
            if (bad == nowhere) return;
            const std::lock_guard lock(guard);
            found = bad;
        });
    for (std::thread& each : team) each.join();
    return found;
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const std::size_t bad = first_bad(ids, table.rows);
    if (bad != nowhere) return Status::id_out_of_range(bad, ids[bad], table.rows);
    if (table.cols == 0) return Status{};
    for (std::size_t i = 0; i < ids.size(); ++i)
        std::copy_n(table.row(static_cast<std::size_t>(ids[i])), table.cols, out.row(i));
    return Status{};
}

} // namespace exercise
