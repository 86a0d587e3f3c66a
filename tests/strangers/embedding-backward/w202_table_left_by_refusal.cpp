// wrong: a static hash table counts ids while they are checked and is cleared at the end of a call, but not where a bad id refuses it: the next accepted call also counts the ids that stood before the bad one, and adds the gradient of place 0 to their rows (where the table is not grown anew).
#include "contract.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace exercise {
namespace {
struct Slot {
    TokenId id = -1;
    std::size_t count = 0;
    std::size_t begin = 0;
};
std::vector<Slot> table;           // open addressing, a power of two
std::vector<std::size_t> occupied; // slots in use

std::size_t find(TokenId id) {
    std::size_t s = (static_cast<std::uint32_t>(id) * 2654435761u) & (table.size() - 1);
    while (table[s].count != 0 && table[s].id != id) s = (s + 1) & (table.size() - 1);
    return s;
}
} // namespace

Status embed_backward(Tensor3<const float> dout, Ids2D ids, Matrix<float> dwte, Matrix<float> dwpe,
                      const BackwardOptions& options) {
    const std::size_t B = ids.rows, T = ids.cols, C = dwte.cols, V = dwte.rows, P = dwpe.rows;
    const std::size_t start = options.start;
    if (dwpe.cols != C || dout.batch != B || dout.time != T || dout.channels != C)
        return Status{Code::shape_mismatch};
    const std::int64_t padding = options.padding_idx;
    if (padding >= 0 && static_cast<std::uint64_t>(padding) >= V)
        return Status{Code::invalid_argument, 0, padding, static_cast<std::int64_t>(V)};
    if (start > P || T > P - start) {
        const std::size_t p = std::max(start, P);
        return Status::position_out_of_range(p - start, static_cast<std::int64_t>(p), P);
    }
    if (B == 0 || T == 0) return Status{};
    const std::size_t n = B * T;
    if (table.size() < 4 * n) {
        std::size_t size = 4096;
        while (size < 4 * n) size *= 2;
        table.assign(size, Slot{});
        occupied.clear();
    }
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const TokenId id = ids(b, t);
            if (id < 0 || static_cast<std::uint64_t>(id) >= V) return Status::id_out_of_range(b * T + t, id, V);
            const std::size_t s = find(id);
            if (table[s].count++ == 0) {
                table[s].id = id;
                occupied.push_back(s);
            }
        }
    std::size_t total = 0;
    for (const std::size_t s : occupied) {
        table[s].begin = total;
        total += table[s].count;
    }
    std::vector<std::size_t> places(total), filled(total);
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t begin = table[find(ids(i / T, i % T))].begin;
        places[begin + filled[begin]++] = i;
    }
    for (const std::size_t s : occupied) {
        if (table[s].id != padding && static_cast<std::uint64_t>(table[s].id) < V) {
            float* row = dwte.row(static_cast<std::size_t>(table[s].id));
            for (std::size_t k = 0; k < table[s].count; ++k) {
                const float* g = dout.data + places[table[s].begin + k] * C;
                for (std::size_t c = 0; c < C; ++c) row[c] += options.scale * g[c];
            }
        }
        table[s] = Slot{};
    }
    occupied.clear();
    for (std::size_t b = 0; b < B; ++b)
        for (std::size_t t = 0; t < T; ++t) {
            const float* g = dout.row(b, t);
            float* row = dwpe.row(start + t);
            for (std::size_t c = 0; c < C; ++c) row[c] += g[c];
        }
    return Status{};
}

} // namespace exercise
