#pragma once

#include "harness/adversity/operand.h"

#include <memory>
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
    /// "table: 6 x 3, ids: 4"
    std::string print(const std::vector<std::string>& names) const;

    /// Calls `callee` with the arguments, whose types the caller knows.
    template <class... Arguments, class Callee>
    decltype(auto) call(Callee&& callee) {
        return [&]<std::size_t... I>(std::index_sequence<I...>)->decltype(auto) {
            return callee(static_cast<Operand<Arguments>&>(*each_[I]).argument()...);
        }
        (std::index_sequence_for<Arguments...>{});
    }

  private:
    std::vector<std::unique_ptr<AnyOperand>> each_;
};

} // namespace harness
