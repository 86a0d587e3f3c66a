// right: written with goto and raw 32-bit words moved as unsigned integers by memcpy, blocks of 7
#include "contract.h"
#include <cstring>
namespace exercise {
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    std::size_t i = 0, c = 0, n = 0;
    unsigned char word[28];
    if (out.rows != ids.size()) goto mismatch;
    if (out.cols != table.cols) goto mismatch;
check:
    if (i == ids.size()) goto good;
    if (ids[i] < 0 || static_cast<std::uint64_t>(ids[i]) >= table.rows) return Status::id_out_of_range(i, ids[i], table.rows);
    ++i;
    goto check;
good:
    i = 0;
next_row:
    if (i == ids.size()) return Status{};
    c = 0;
next_block:
    if (c == table.cols) { ++i; goto next_row; }
    n = table.cols - c < 7 ? table.cols - c : 7;
    std::memcpy(word, table.row(static_cast<std::size_t>(ids[i])) + c, n * 4);
    std::memcpy(out.row(i) + c, word, n * 4);
    c += n;
    goto next_block;
mismatch:
    return Status{Code::shape_mismatch};
}
} // namespace exercise
