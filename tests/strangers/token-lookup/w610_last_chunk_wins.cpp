// wrong: from 1,024 ids on, four threads check a quarter each, and of several quarters with a bad id the LAST one is reported; a right one reports the smallest index of all
#include "contract.h"

#include <array>
#include <cstring>
#include <thread>

namespace exercise {
namespace {

constexpr std::size_t crew = 4;

Status check(Ids ids, std::size_t first, std::size_t last, std::size_t vocabulary) {
    for (std::size_t i = first; i < last; ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= vocabulary)
            return Status::id_out_of_range(i, ids[i], vocabulary);
    return {};
}

template <class Work>
void share(std::size_t count, Work work) {
    std::array<std::thread, crew> threads;
    for (std::size_t k = 0; k < crew; ++k)
        threads[k] = std::thread(work, k, count * k / crew, count * (k + 1) / crew);
    for (std::thread& thread : threads)
        thread.join();
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    const auto copy = [=](std::size_t, std::size_t first, std::size_t last) {
        if (table.cols == 0) return;
        for (std::size_t i = first; i < last; ++i)
            std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), table.cols * sizeof(float));
    };

    if (ids.size() < 1024) {
        const Status status = check(ids, 0, ids.size(), table.rows);
        if (status.code == Code::ok) copy(0, 0, ids.size());
        return status;
    }

    std::array<Status, crew> found;
    share(ids.size(), [&](std::size_t k, std::size_t first, std::size_t last) {
        found[k] = check(ids, first, last, table.rows);
    });
    Status status;
    for (const Status& part : found)
        if (part.code != Code::ok) status = part;
    if (status.code == Code::ok) share(ids.size(), copy);
    return status;
}

} // namespace exercise
