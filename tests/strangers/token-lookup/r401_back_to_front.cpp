// right: ids are checked 64 at a time with one OR and searched only where a block is bad; rows are copied from the last to the first, in column strips of 48, odd and even rows by two threads (joined) when there is much to do.
#include "contract.h"

#include <algorithm>
#include <cstring>
#include <system_error>
#include <thread>

namespace exercise {

namespace {

void copy_every_second(Matrix<const float> table, Ids ids, Matrix<float> out, std::size_t parity) {
    constexpr std::size_t strip = 48;
    for (std::size_t c = 0; c < table.cols; c += strip) {
        const std::size_t width = std::min(strip, table.cols - c);
        for (std::size_t i = ids.size(); i-- > 0;)
            if (i % 2 == parity)
                std::memcpy(out.row(i) + c, table.row(static_cast<std::size_t>(ids[i])) + c,
                            width * sizeof(float));
    }
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t T = ids.size(), C = table.cols, V = table.rows;
    if (out.rows != T || out.cols != C) return Status{Code::shape_mismatch};

    const auto bad = [V](TokenId id) { return (id < 0) | (static_cast<std::uint64_t>(id) >= V); };
    for (std::size_t begin = 0; begin < T; begin += 64) {
        const std::size_t end = std::min(T, begin + 64);
        bool any = false;
        for (std::size_t i = begin; i < end; ++i)
            any |= bad(ids[i]);
        if (!any) continue;
        for (std::size_t i = begin; i < end; ++i)
            if (bad(ids[i])) return Status::id_out_of_range(i, ids[i], V);
    }
    if (C == 0 || T == 0) return Status{};

    std::thread helper;
    if (T >= 2 && T * C >= (std::size_t{1} << 16)) {
        try {
            helper = std::thread(copy_every_second, table, ids, out, std::size_t{1});
        } catch (const std::system_error&) {
            // then this thread does it all
        }
    }
    copy_every_second(table, ids, out, 0);
    if (helper.joinable())
        helper.join();
    else
        copy_every_second(table, ids, out, 1);
    return Status{};
}

} // namespace exercise
