#pragma once

#include "harness/adversity/operand.h"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace harness {

/// The numbers that a struct holds, with their names.
template <class T>
using Numbers = std::vector<std::pair<std::string, std::function<double(const T&)>>>;

/// An argument that is a value.
template <class T>
class ValueOperand : public Operand<T> {
  public:
    ValueOperand(T value, std::string text, Numbers<T> numbers)
        : value_(std::move(value)), text_(std::move(text)), numbers_(std::move(numbers)) {}

    T argument() override { return value_; }
    std::unique_ptr<AnyOperand> copy() const override {
        return std::make_unique<ValueOperand>(value_, text_, numbers_);
    }
    void assign(const AnyOperand& other) override {
        const auto& from = static_cast<const ValueOperand&>(other);
        value_ = from.value_;
        text_ = from.text_;
    }
    bool expect(std::string_view, const AnyOperand&, const Rule&) const override { return true; }
    void describe(std::string_view what, CallFacts& facts) const override {
        if constexpr (std::is_arithmetic_v<T>) facts.numbers[std::string(what)] = static_cast<double>(value_);
        for (const auto& [name, number] : numbers_)
            facts.numbers[name] = number(value_);
    }
    std::string print() const override { return text_; }

  private:
    T value_;
    std::string text_;
    Numbers<T> numbers_;
};

} // namespace harness
