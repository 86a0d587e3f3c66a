#pragma once

#include "subject/protocol.h"
#include "subject/regions.h"
#include "subject/worker.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace subject {

/// What one call was seen to do.
struct Observation {
    std::uint32_t function = 0;
    std::optional<Death> death; ///< or it replied:
    ReplyKind reply = ReplyKind::returned;
    std::vector<std::byte> message; ///< type and text of an exception

    struct Output {
        ElementKind kind = ElementKind::bytes;
        std::uint64_t bytes = 0;
        std::uint64_t digest = 0;    ///< of all bytes
        std::vector<std::byte> data; ///< kept while the transcript has room
    };
    std::vector<Output> outputs; ///< what was written, then what was returned
    std::uint32_t damage = 0;    ///< digest of the arguments that were overrun or changed
};

/// All a submission was seen to do in one test case, in order. Two implementations with equal transcripts
/// behave alike as far as the suite can see.
class Transcript {
  public:
    void clear();
    void add(Observation observation);
    const std::vector<Observation>& observations() const { return observations_; }

    /// Keeps `data` in full while there is room, its digest always.
    Observation::Output output(ElementKind kind, const std::byte* data, std::size_t bytes);

  private:
    std::vector<Observation> observations_;
    std::size_t kept_ = 0;
};

/// Whether both did the same: bit for bit, and for floating point up to the rounding that another order of
/// the same operations causes.
bool same_behaviour(const Transcript& a, const Transcript& b);

/// The same of the last call alone: given that `a` followed `b` until now, whether it still does.
bool same_so_far(const Transcript& a, const Transcript& b);

} // namespace subject
