// right: checks and copies by recursion: halves the ids, then halves the row, with iterators of unsigned words at the bottom (bits, no float arithmetic)
#include "contract.h"

#include <bit>
#include <optional>

namespace exercise {
namespace {

std::optional<std::size_t> first_bad(Ids ids, std::size_t vocabulary) {
    if (ids.empty()) return std::nullopt;
    if (ids.size() == 1) {
        if (ids[0] < 0) return 0;
        const auto unsigned_id = static_cast<std::uint32_t>(ids[0]);
        return unsigned_id < vocabulary ? std::nullopt : std::optional<std::size_t>(0);
    }
    const std::size_t half = ids.size() / 2;
    if (const auto left = first_bad(ids.first(half), vocabulary)) return left;
    const auto right = first_bad(ids.subspan(half), vocabulary);
    return right ? std::optional<std::size_t>(*right + half) : std::nullopt;
}

void copy_row(std::span<const float> from, float* to) {
    if (from.size() <= 16) {
        for (const float& value : from)
            *to++ = std::bit_cast<float>(std::bit_cast<std::uint32_t>(value));
        return;
    }
    const std::size_t half = from.size() / 2;
    copy_row(from.first(half), to);
    copy_row(from.subspan(half), to + half);
}

void copy_rows(Matrix<const float> table, Ids ids, Matrix<float> out, std::size_t first, std::size_t count) {
    if (count > 1) {
        copy_rows(table, ids, out, first, count / 2);
        copy_rows(table, ids, out, first + count / 2, count - count / 2);
    } else if (count == 1) {
        copy_row({table.row(static_cast<std::size_t>(ids[first])), table.cols}, out.row(first));
    }
}

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (!(out.rows == ids.size() && out.cols == table.cols)) return Status{Code::shape_mismatch};
    if (const auto where = first_bad(ids, table.rows))
        return Status::id_out_of_range(*where, ids[*where], table.rows);
    if (table.cols > 0) copy_rows(table, ids, out, 0, ids.size());
    return Status{};
}

} // namespace exercise
