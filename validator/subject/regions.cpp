#include "subject/regions.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace subject {
namespace {

bool lies_in(const Buffer& buffer, const PlacedRegion& region) {
    return buffer.bytes > 0 && buffer.data >= region.data && buffer.data < region.data + region.bytes;
}

std::vector<PlacedRegion> merge(std::vector<Buffer> buffers) {
    const auto empty =
        std::partition(buffers.begin(), buffers.end(), [](const Buffer& buffer) { return buffer.bytes > 0; });
    const std::vector<Buffer> alone(empty, buffers.end());
    buffers.erase(empty, buffers.end());
    std::ranges::sort(buffers, {}, &Buffer::data);
    std::vector<PlacedRegion> regions;
    for (const Buffer& buffer : buffers) {
        const bool overlaps = !regions.empty() && buffer.data < regions.back().data + regions.back().bytes;
        if (!overlaps) {
            regions.push_back({.data = buffer.data,
                               .bytes = buffer.bytes,
                               .writable = buffer.writable,
                               .read_only = !buffer.writable,
                               .kind = buffer.kind,
                               .argument = buffer.argument,
                               .last_argument = buffer.argument,
                               .alignment = buffer.alignment});
            continue;
        }
        PlacedRegion& region = regions.back();
        const std::byte* end = std::max(region.data + region.bytes, buffer.data + buffer.bytes);
        if (end != region.data + region.bytes) region.last_argument = buffer.argument;
        region.alignment = std::max(region.alignment, buffer.alignment);
        region.bytes = static_cast<std::size_t>(end - region.data);
        region.writable = region.writable || buffer.writable;
        region.read_only = region.read_only || !buffer.writable;
        region.argument = std::min(region.argument, buffer.argument);
        if (region.kind != buffer.kind) region.kind = ElementKind::bytes;
    }
    for (const Buffer& buffer : alone)
        regions.push_back({.data = buffer.data,
                           .writable = buffer.writable,
                           .read_only = !buffer.writable,
                           .kind = buffer.kind,
                           .argument = buffer.argument,
                           .last_argument = buffer.argument});
    return regions;
}

void move_inputs_first(std::vector<PlacedRegion>& regions) {
    // Clang 14 has no use for the subrange that std::ranges::stable_partition returns.
    std::stable_partition(regions.begin(), regions.end(),
                          [](const PlacedRegion& each) { return !each.writable; });
}

/// Whether it can end at the end of a slot, with elements that are aligned as they are in the driver's
/// memory.
bool fits_slot(const PlacedRegion& region, const Arena& arena) {
    const auto end = reinterpret_cast<std::uintptr_t>(region.data) + region.bytes;
    return !arena.contains(region.data) && region.bytes <= slot_bytes - canary_bytes &&
           (region.bytes == 0 || end % region.alignment == 0);
}

void put_into_slots(std::vector<PlacedRegion>& regions) {
    move_inputs_first(regions);
    for (std::size_t slot = 0; slot < regions.size(); ++slot)
        regions[slot].offset = guard_of(slot) - regions[slot].bytes;
}

} // namespace

std::vector<PlacedRegion> place(const std::vector<Buffer>& buffers, std::size_t begin, const Arena& arena,
                                Placing placing, bool slots) {
    std::vector<PlacedRegion> regions = merge(buffers);
    // In the order of the arguments, so that the layout does not depend on where the driver's memory happens
    // to lie.
    std::ranges::sort(regions, {}, &PlacedRegion::argument);
    if (slots && regions.size() <= slot_count &&
        std::ranges::all_of(regions, [&](const PlacedRegion& each) { return fits_slot(each, arena); })) {
        put_into_slots(regions);
        return regions;
    }
    const bool apart = placing == Placing::inputs_apart;
    if (apart) move_inputs_first(regions);
    std::size_t at = begin;
    bool first_written = apart;
    for (PlacedRegion& region : regions) {
        region.in_arena = arena.contains(region.data);
        if (region.in_arena) {
            region.offset = static_cast<std::size_t>(region.data - arena.base());
            continue;
        }
        if (region.writable && std::exchange(first_written, false)) at = round_up(at, page);
        const bool in_pages = placing == Placing::as_in_pages;
        const std::size_t misalignment =
            reinterpret_cast<std::uintptr_t>(region.data) % (in_pages ? page : 16);
        region.offset = round_up(at + canary_bytes, in_pages ? page : 64) + misalignment;
        at = region.offset + region.bytes + canary_bytes;
    }
    return regions;
}

BufferRef locate(const std::vector<PlacedRegion>& regions, const std::byte* data, int argument) {
    if (data == nullptr) return {no_region, 0};
    for (std::uint32_t i = 0; i < regions.size(); ++i)
        if (regions[i].bytes == 0 && regions[i].argument == argument) return {i, 0};
    for (std::uint32_t i = 0; i < regions.size(); ++i)
        if (data >= regions[i].data && data < regions[i].data + regions[i].bytes)
            return {i, static_cast<std::uint64_t>(data - regions[i].data)};
    return {};
}

std::size_t end_of(const std::vector<PlacedRegion>& regions, std::size_t begin) {
    std::size_t end = begin;
    for (const PlacedRegion& region : regions)
        if (!region.in_arena) end = std::max(end, region.offset + region.bytes + canary_bytes);
    return end;
}

int argument_before(const std::vector<PlacedRegion>& regions, std::size_t place) {
    for (const PlacedRegion& region : regions) {
        const std::size_t end = region.offset + region.bytes;
        if (in_slot(region.offset) && place >= end && place < end + page) return region.last_argument;
    }
    return 0;
}

void copy_writable(const PlacedRegion& region, const std::vector<Buffer>& buffers, const std::byte* at) {
    for (const Buffer& buffer : buffers)
        if (buffer.writable && lies_in(buffer, region))
            std::memcpy(buffer.data, at + (buffer.data - region.data), buffer.bytes);
}

int changed_argument(const PlacedRegion& region, const std::vector<Buffer>& buffers, const std::byte* at) {
    for (const Buffer& buffer : buffers)
        if (!buffer.writable && lies_in(buffer, region) &&
            std::memcmp(buffer.data, at + (buffer.data - region.data), buffer.bytes) != 0)
            return buffer.argument;
    return region.argument;
}

} // namespace subject
