#include "subject/kept.h"

#include "subject/canary.h"

#include <algorithm>

namespace subject {
namespace {

/// Where the pages begin that may be written; `end` where there are none.
std::size_t first_written_page(const std::vector<PlacedRegion>& regions, std::size_t end) {
    for (const PlacedRegion& region : regions)
        if (region.writable && !region.in_arena) return (region.offset - canary_bytes) / page * page;
    return end;
}

KeptPages from_first_to(std::size_t end) {
    if (end <= calls_begin) return {};
    const std::size_t bytes = end - calls_begin;
    return {.first = calls_begin, .bytes = bytes, .step = bytes, .count = 1};
}

/// Inputs are in the first slots. A slot is kept whole, which changes its mapping without splitting it.
KeptPages slots_of(Kept kept, const std::vector<PlacedRegion>& regions) {
    const auto count =
        kept == Kept::arguments ? regions.size()
        : kept == Kept::inputs
            ? static_cast<std::size_t>(std::ranges::count(regions, false, &PlacedRegion::writable))
            : 0;
    return {.first = control_end, .bytes = slot_bytes, .step = slot_step, .count = count};
}

KeptPages pages_of(const Gaps& gaps, const std::vector<PlacedRegion>& regions) {
    for (const PlacedRegion& region : regions)
        if (!region.in_arena && gaps.first >= region.data && gaps.first < region.data + region.bytes)
            return {.first = region.offset + static_cast<std::size_t>(gaps.first - region.data),
                    .bytes = gaps.bytes,
                    .step = gaps.step,
                    .count = gaps.count};
    return {};
}

} // namespace

Placing placing_for(Kept kept) {
    if (kept == Kept::nothing) return Placing::close;
    return kept == Kept::gaps ? Placing::as_in_pages : Placing::inputs_apart;
}

KeptPages kept_pages(Kept kept, const Gaps& gaps, const std::vector<PlacedRegion>& regions, std::size_t end) {
    if (!regions.empty() && in_slot(regions.front().offset)) return slots_of(kept, regions);
    switch (kept) {
    case Kept::nothing: break;
    case Kept::inputs: return from_first_to(first_written_page(regions, end));
    case Kept::gaps: return pages_of(gaps, regions);
    case Kept::arguments: return from_first_to(end);
    }
    return {};
}

} // namespace subject
