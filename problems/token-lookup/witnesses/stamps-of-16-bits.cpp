// Fault: A repeated id is copied from its first row, known by a 16-bit call number that wraps.
// Origin: round 22
// Depth: thorough
#include "contract.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace exercise {
namespace {

/// Where an id occurred first in this call. Entries of earlier calls carry another epoch, so nothing has to
/// be cleared.
struct Seen {
    std::vector<std::uint16_t> epoch;
    std::vector<std::size_t> place;
    std::uint16_t now = 0;

    void begin(std::size_t vocabulary) {
        if (epoch.size() < vocabulary) {
            epoch.resize(vocabulary, 0);
            place.resize(vocabulary, 0);
        }
        if (++now == 0) now = 1; // 0 is what new entries hold
    }
};

constexpr std::size_t largest_vocabulary = std::size_t{1} << 18;

thread_local Seen seen;

} // namespace

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    const std::size_t channels = table.cols;
    if (out.rows != ids.size() || out.cols != channels) return Status{Code::shape_mismatch};
    for (std::size_t i = 0; i < ids.size(); ++i)
        if (ids[i] < 0 || static_cast<std::size_t>(ids[i]) >= table.rows)
            return Status::id_out_of_range(i, ids[i], table.rows);
    if (channels == 0 || ids.empty()) return {};
    const std::size_t bytes = channels * sizeof(float);
    if (ids.size() == 1 || table.rows > largest_vocabulary) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            std::memcpy(out.row(i), table.row(static_cast<std::size_t>(ids[i])), bytes);
        return {};
    }
    seen.begin(table.rows);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const auto id = static_cast<std::size_t>(ids[i]);
        if (seen.epoch[id] == seen.now) {
            std::memcpy(out.row(i), out.row(seen.place[id]), bytes); // still in the cache
        } else {
            std::memcpy(out.row(i), table.row(id), bytes);
            seen.epoch[id] = seen.now;
            seen.place[id] = i;
        }
    }
    return {};
}

} // namespace exercise
