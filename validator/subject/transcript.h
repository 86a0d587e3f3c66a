#pragma once

#include "subject/protocol.h"
#include "subject/regions.h"
#include "subject/worker.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace subject {

/// What one call was seen to do.
struct Observation {
    std::uint32_t function = 0;
    const char* name = "";      ///< of the function
    std::optional<Death> death; ///< or it replied:
    ReplyKind reply = ReplyKind::returned;
    std::vector<std::byte> message; ///< type and text of an exception

    struct Output {
        ElementKind kind = ElementKind::bytes;
        std::uint64_t bytes = 0;
        std::uint64_t digest = 0;           ///< of all bytes
        std::optional<std::size_t> kept_at; ///< where the transcript has them all, while it has room
        const std::byte* at = nullptr;      ///< where they were found, or where the caller has them
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

    /// The same of what `from` holds, which is read once: it arrives at `to`, and no later change of `from`
    /// shows anywhere.
    Observation::Output take(ElementKind kind, std::byte* to, const std::byte* from, std::size_t bytes);

    /// All bytes of an output of this transcript; empty where there was no room.
    std::span<const std::byte> kept(const Observation::Output& output) const;

  private:
    template <class Arrive>
    Observation::Output record(ElementKind kind, const std::byte* data, std::size_t bytes, Arrive arrive);

    std::vector<Observation> observations_;
    std::vector<std::byte> kept_; ///< its memory serves one case after the other
};

/// How much alike numbers have to be.
enum class Likeness {
    bits,
    values,  ///< bits, but any quiet NaN and either zero will do
    rounding ///< floating point up to the rounding that another order of the same operations causes
};

/// Whether both did the same.
bool same_behaviour(const Transcript& a, const Transcript& b, Likeness likeness);

/// The same of the last call alone: given that `a` followed `b` until now, whether it still does.
bool same_so_far(const Transcript& a, const Transcript& b, Likeness likeness);

} // namespace subject
