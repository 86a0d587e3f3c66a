// Fault: A cache of copied rows keeps ids as 16-bit tags.
// Origin: round 11
#include "contract.h"

#include <array>
#include <cstring>

namespace exercise {
namespace {

/// Frequent tokens are copied from the output, which is still in the cache; the table is not.
class Recent {
  public:
    const float* find(TokenId id) const {
        const Entry& entry = entries_[slot(id)];
        return entry.row != nullptr && entry.tag == tag(id) ? entry.row : nullptr;
    }
    void keep(TokenId id, const float* row) { entries_[slot(id)] = {tag(id), row}; }

  private:
    struct Entry {
        std::uint16_t tag = 0;
        const float* row = nullptr;
    };
    static std::size_t slot(TokenId id) { return static_cast<std::size_t>(id) % 128; }
    static std::uint16_t tag(TokenId id) { return static_cast<std::uint16_t>(id); }

    std::array<Entry, 128> entries_{};
};

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    if (out.rows != ids.size() || out.cols != table.cols) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (table.cols == 0) return {};

    Recent recent;
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const float* source = recent.find(ids[i]);
        if (source == nullptr) source = table.row(static_cast<std::size_t>(ids[i]));
        std::memcpy(out.row(i), source, table.cols * sizeof(float));
        recent.keep(ids[i], out.row(i));
    }
    return {};
}

} // namespace exercise
