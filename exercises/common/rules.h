#pragma once

// Rules for every contract of this course. A contract repeats a rule only where it changes it.
//
// VIEWS. `Matrix`, `Tensor3`, `std::span` and the other views show elements that the caller owns. They are
// valid until the call returns, even in a call that is refused; after that, nothing may read or write through
// them, threads included. An input has `const` elements and is never written.
//
// STRIDE. Row r of a matrix begins `r * stride` elements after row 0. The elements between `cols` and
// `stride` are padding. Padding may hold anything, even elements of another view of the same call. It may be
// read; that of an output is never written. There may be no memory after the last element of the last row.
// Pointers are aligned to one element. Two views of which one is written never share an element.
//
// SIZES. Every size of a view is at most 2^63 - 1, and may be 0 unless the contract excludes it. A view
// without elements may have a null pointer; it is not followed, not even by a std::memcpy of no bytes.
// Refusals do not depend on whether there is work to do: an id is bad even where C is 0, a window is too long
// even where B is 0, and where V is 0 every id is bad. A sum of no terms is 0.
//
// REFUSALS. Of several reasons to refuse, the first one in the contract's list counts. Inputs may be read
// before the decision, outputs are written only after it: a refused call writes nothing. Fields of `Status`
// that a contract does not name are 0. A number too large for a field, count or not, is converted modulo
// 2^64.
//
// EQUAL CALLS. What a call computes follows from the values of its arguments, and of the object it belongs
// to. Equal calls give equal bits, wherever their views lie, however many threads work, and whatever was
// called in between; only a NaN, or the sign of a zero, may differ where NUMBERS leaves it open. The caller
// may change the elements between two calls, at the same address. A call leaves the modes of floating-point
// arithmetic (rounding, tiny numbers, traps) as they were; its exceptions may have been raised.
//
// NUMBERS. u = 2^-24 is the largest relative error of one float operation. Bounds leave the order of the
// operations open, and whether they are made in float or in double. Where no operation has to round, the
// result is exact, however small. The bounds hold as long as nothing overflows and nothing but a zero falls
// below the normal numbers; the caller sees to that where the contract promises a bound. Infinities and NaN
// follow IEEE 754: 0 times infinity is NaN, and so is 0 times NaN. A result of arithmetic that is NaN may be
// any NaN, and one that is zero may have either sign, unless the contract promises its bits. A copy keeps
// every bit.
//
// LIMITS. `engine show` prints, for each problem, how long one call may take, how much memory and how many
// threads the program may use (at least 16), and how much it may print. Within these limits memory and
// threads can be had; what to do without them is left open. Where a size is 0 the others may be anything, and
// what it takes to walk over them, in time and memory, is open too, unless the contract says otherwise. Calls
// come one after another; what one starts is done when it returns, though its own threads may wait for the
// next. A function of a contract throws nothing, nor does it let through what the standard library throws,
// apart from what not_implemented() throws.
