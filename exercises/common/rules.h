#pragma once

// VIEWS (Matrix, Tensor3, std::span) show memory of the caller, until the call returns. `const` elements are
// only read. A view that is written shares no element with another.
//
// STRIDE. Row r begins `r * stride` elements after row 0. The elements between `cols` and `stride` are
// padding: never written, and absent after the last row. Pointers are aligned to one element.
//
// SIZES. Any size may be 0. An empty view may have a null pointer, which std::memcpy must never get. A
// sum of no terms is 0. Offsets may need 64 bits.
//
// REFUSALS. Check in the contract's order, even without work: an id is bad even if C is 0. A refused call
// writes nothing. `Status` fields that are not named are 0.
//
// EQUAL CALLS give equal bits, however many threads you start. Do not cache arguments: the caller may change
// them in place.
//
// NUMBERS. A copy keeps every bit. Arithmetic follows IEEE 754: 0 times infinity is NaN. A result that needs
// no rounding is exact. It may be any NaN, and a zero of either sign, unless the contract says otherwise.
// u = 2^-24 is the largest relative error of a float operation.
//
// LIMITS. `engine show` prints time, memory and threads. Throw nothing. All work is done when the call
// returns. Instruction sets: SSE2 on x86-64, NEON on aarch64.
//
// Fine print: docs/fine-print.md.
