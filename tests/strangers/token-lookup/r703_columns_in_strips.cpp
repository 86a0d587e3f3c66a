// right: the channels are the outer loop, in strips of 16 columns; large calls give every second strip to a second thread, and fall back to one thread if none can be started
#include "contract.h"

#include <algorithm>
#include <optional>
#include <thread>

namespace exercise {

namespace {

constexpr std::size_t strip = 16;

void strips(Matrix<const float> table, Ids ids, Matrix<float> out, std::size_t first, std::size_t step) {
    for (std::size_t s = first; s * strip < table.cols; s += step) {
        const std::size_t begin = s * strip;
        const std::size_t end = std::min(begin + strip, table.cols);
        for (std::size_t i = 0; i < ids.size(); ++i) {
            const float* from = table.row(static_cast<std::size_t>(ids[i]));
            float* to = out.row(i);
            for (std::size_t c = begin; c < end; ++c) to[c] = from[c];
        }
    }
}

std::optional<std::size_t> first_bad(Ids ids, std::size_t vocabulary) {
    for (std::size_t i = 0; i < ids.size(); ++i) {
        // A negative id becomes a number of 2^63 or more, and no vocabulary has that many rows.
        if (static_cast<std::size_t>(static_cast<std::ptrdiff_t>(ids[i])) >= vocabulary) return i;
    }
    return std::nullopt;
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size()) return Status{Code::shape_mismatch};
    if (out.cols != table.cols) return Status{Code::shape_mismatch};
    if (const auto bad = first_bad(ids, table.rows))
        return Status::id_out_of_range(*bad, ids[*bad], table.rows);

    if (ids.size() < 1024 || table.cols <= strip) {
        strips(table, ids, out, 0, 1);
        return Status{};
    }
    std::thread helper;
    try {
        helper = std::thread(strips, table, ids, out, 1, 2);
    } catch (...) {
        strips(table, ids, out, 1, 2);
    }
    strips(table, ids, out, 0, 2);
    if (helper.joinable()) helper.join();
    return Status{};
}

} // namespace exercise
