#pragma once

#include "harness/adversity/common.h"
#include "harness/adversity/rule.h"
#include "subject/session.h"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace harness {

/// Memory that is shared with the worker and costs nothing where nobody writes.
struct FarMemory {
    std::byte* data = nullptr;
    std::size_t bytes = 0;
};

/// One argument of a call, with the memory that it points at. Operands that meet belong to one parameter, so
/// they are of one type.
class AnyOperand {
  public:
    AnyOperand() = default;
    AnyOperand(const AnyOperand&) = delete;
    AnyOperand& operator=(const AnyOperand&) = delete;
    virtual ~AnyOperand() = default;

    /// The same argument with memory of its own, so that the reference can be called too.
    virtual std::unique_ptr<AnyOperand> copy() const = 0;
    /// Moves the memory that it points at to an address that is so many elements beyond a multiple of 16
    /// bytes.
    virtual void move_by(std::size_t) {}
    /// Moves the memory so that the first row ends with a page. What lies between the rows, where it is whole
    /// pages and belongs to an argument that is written to.
    virtual std::optional<subject::Gaps> move_into_pages() { return std::nullopt; }
    /// For the time of a call, lays the elements into the gaps of `host`, so many elements behind the end of
    /// a row. Rows begin as far apart there and are at least as many; does nothing where one of the two has
    /// no rows with gaps.
    virtual void move_in([[maybe_unused]] AnyOperand& host, [[maybe_unused]] std::size_t behind) {}
    /// Takes them out again, and leaves the gaps as they were.
    virtual void move_out() {}
    /// Makes an output whose content does not count hold the negative of what `right` holds.
    virtual void hold_negative([[maybe_unused]] const AnyOperand& right) {}
    /// Makes it hold what `right` holds, but for an element within each row, or within the middle one.
    virtual void hold_nearly([[maybe_unused]] const AnyOperand& right, [[maybe_unused]] bool each_row) {}
    /// Makes all elements of an input equal but the last one, or the last one of each row. False where it is
    /// none, or has too few.
    virtual bool level([[maybe_unused]] bool each_row) { return false; }
    /// Makes the gaps of an input hold what the last element before them does. False where there are none.
    virtual bool repeat_in_gaps() { return false; }
    /// Puts the elements in the opposite order. False where there are none to exchange.
    virtual bool reverse() { return false; }
    /// Takes over what `other`, of the same shape, holds, without moving anything.
    virtual void assign(const AnyOperand& other) = 0;
    /// The same, but for the first and the last element. False where there is nothing between.
    virtual bool assign_inside([[maybe_unused]] const AnyOperand& other) { return false; }
    /// The same for one element of each row, neither the first, the middle nor the last. False where rows are
    /// short.
    virtual bool assign_one_of_each_row([[maybe_unused]] const AnyOperand& other,
                                        [[maybe_unused]] Random& random) {
        return false;
    }
    /// For an argument that is written to: whether each element is what the reference made of it and each gap
    /// is as it was. Reports what is not.
    virtual bool expect(std::string_view what, const AnyOperand& want, const Rule& rule) const = 0;
    /// Whether the function writes to what it points at.
    virtual bool is_written() const { return false; }
    /// Whether it is anything to compare; asked of arguments that are written to.
    virtual bool has_elements() const { return true; }
    /// Adds what its content is like, as far as that may explain why a call fails.
    virtual void describe([[maybe_unused]] std::string_view what, [[maybe_unused]] CallFacts& facts) const {}
    /// "6 x 3, 5 apart", or the value.
    virtual std::string print() const = 0;
};

template <class Argument>
class Operand : public AnyOperand {
  public:
    /// What the function gets.
    virtual Argument argument() = 0;
};

} // namespace harness
