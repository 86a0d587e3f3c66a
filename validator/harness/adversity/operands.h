#pragma once

#include "harness/adversity/operand.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// The arguments of one call, each with the memory that it points at.
class Operands {
  public:
    explicit Operands(std::vector<std::unique_ptr<AnyOperand>> each) : each_(std::move(each)) {}

    std::size_t size() const { return each_.size(); }
    AnyOperand& operator[](std::size_t i) const { return *each_[i]; }

    Operands copy() const;
    void assign(const Operands& other);
    /// In each call, `guest` lies in the gaps of `host`, so many elements behind the end of a row.
    void lodge(std::size_t guest, std::size_t host, std::size_t behind) { lodging_ = {guest, host, behind}; }
    /// Makes outputs whose content does not count hold the negative of what they hold in `right`.
    void hold_negative(const Operands& right);
    /// Makes them hold what is right, but for an element within each row, or within the middle one.
    void hold_nearly(const Operands& right, bool each_row);
    /// "table: 6 x 3, ids: 4"
    std::string print(const std::vector<std::string>& names) const;

    /// Calls `callee` with the arguments, whose types the caller knows.
    template <class... Arguments, class Callee>
    decltype(auto) call(Callee&& callee) {
        const Lodged lodged(*this);
        return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
            return callee(static_cast<Operand<Arguments>&>(*each_[I]).argument()...);
        }
        (std::index_sequence_for<Arguments...>{});
    }

  private:
    struct Lodging {
        std::size_t guest, host, behind;
    };
    /// That the guest is in, however the call ends.
    class Lodged {
      public:
        explicit Lodged(const Operands& operands);
        Lodged(const Lodged&) = delete;
        Lodged& operator=(const Lodged&) = delete;
        ~Lodged();

      private:
        AnyOperand* guest_ = nullptr;
    };

    std::vector<std::unique_ptr<AnyOperand>> each_;
    std::optional<Lodging> lodging_;
};

} // namespace harness
