#include "harness/adversity/operands.h"

namespace harness {

Operands Operands::copy() const {
    std::vector<std::unique_ptr<AnyOperand>> copies;
    for (const auto& each : each_)
        copies.push_back(each->copy());
    return Operands(std::move(copies));
}

void Operands::assign(const Operands& other) {
    for (std::size_t i = 0; i < size(); ++i)
        each_[i]->assign(other[i]);
}

std::string Operands::print(const std::vector<std::string>& names) const {
    std::string text;
    for (std::size_t i = 0; i < size(); ++i)
        text += (i == 0 ? "" : ", ") + names[i] + ": " + each_[i]->print();
    return text;
}

} // namespace harness
