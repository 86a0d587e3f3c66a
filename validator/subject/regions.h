#pragma once

#include "subject/arena.h"
#include "subject/protocol.h"
#include "subject/slots.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace subject {

/// What a tensor's bytes are, so that two observations may be compared as numbers.
enum class ElementKind : std::uint8_t { bytes, float32, float64 };

/// A buffer an argument points at, as the driver's own memory has it.
struct Buffer {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    bool writable = false;
    ElementKind kind = ElementKind::bytes;
    int argument = 0;          ///< counted from 1
    std::size_t alignment = 1; ///< of its elements
};

/// One region of a call: the driver's own memory, and its place in the arena.
struct PlacedRegion {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
    std::size_t offset = 0; ///< in the arena
    bool writable = false;  ///< some of it
    bool read_only = false; ///< some of it; both where an input overlaps an output
    bool in_arena = false;  ///< the memory is arena memory: nothing is copied
    ElementKind kind = ElementKind::bytes;
    int argument = 0;          ///< the first one of those that share it
    int last_argument = 0;     ///< the one that reaches its end
    std::size_t alignment = 1; ///< of its elements
};

/// How regions lie beside each other.
enum class Placing {
    close,
    inputs_apart, ///< inputs come first, and what may be written begins on a page of its own
    as_in_pages,  ///< each begins as far beyond a page's beginning as the driver's memory does
};

/// Merges buffers that overlap, so that overlap is the same on the other side, and lays the regions out after
/// `begin`: each on a 64-byte boundary plus its own misalignment, with canaries before and after it. An empty
/// buffer is a region of its own, wherever it points. With `slots`, if all of them fit, they go there, inputs
/// first, with canaries before them only.
std::vector<PlacedRegion> place(const std::vector<Buffer>& buffers, std::size_t begin, const Arena& arena,
                                Placing placing = Placing::close, bool slots = false);

/// The argument past whose end this place in the arena is, if that is the page after a slot; else 0.
int argument_before(const std::vector<PlacedRegion>& regions, std::size_t place);

/// The region that holds the buffer of this argument, which begins at `data`, and the offset within it;
/// `no_region` for a null pointer.
BufferRef locate(const std::vector<PlacedRegion>& regions, const std::byte* data, int argument);

/// Where the last region that is not in a slot ends, canary included.
std::size_t end_of(const std::vector<PlacedRegion>& regions, std::size_t begin);

/// Takes over what may have been written where inputs and outputs overlap; `at` is where the region lies in
/// the arena.
void copy_writable(const PlacedRegion& region, const std::vector<Buffer>& buffers, const std::byte* at);

/// The argument whose input no longer is what the driver still has.
int changed_argument(const PlacedRegion& region, const std::vector<Buffer>& buffers, const std::byte* at);

} // namespace subject
