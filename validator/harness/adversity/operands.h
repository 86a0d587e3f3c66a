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
    /// In each call, `guest` lies in the gaps of `host`.
    void lodge(std::size_t guest, std::size_t host) { lodging_ = {guest, host}; }
    /// Makes outputs whose content does not count hold the negative of what they hold in `right`.
    void hold_negative(const Operands& right);
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
    std::optional<std::pair<std::size_t, std::size_t>> lodging_; ///< guest and host
};

} // namespace harness
