// wrong: when the same ids span (address and size), same V, was found good in the call before, the ids are not checked again, so a bad id put there since gets Status{} instead of id_out_of_range
#include "contract.h"
#include <cstring>
namespace exercise {
namespace {
struct Seen {
    const TokenId* data = nullptr;
    std::size_t size = 0, vocab = 0;
    bool operator==(const Seen&) const = default;
};
thread_local Seen last_good;
} // namespace
Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return {Code::shape_mismatch};
    const Seen now{ids.data(), ids.size(), table.rows};
    if (!(now == last_good) || ids.empty()) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (ids[i] < 0 || std::uint32_t(ids[i]) >= table.rows)
                return Status::id_out_of_range(i, ids[i], table.rows);
        last_good = now;
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
        std::size_t r = static_cast<std::uint32_t>(ids[i]);
        if (r >= table.rows) continue; // "cannot happen"
        if (table.cols) std::memcpy(out.row(i), table.row(r), table.cols * sizeof(float));
    }
    return {};
}
} // namespace exercise
