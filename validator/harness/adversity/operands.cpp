#include "harness/adversity/operands.h"

namespace harness {

Operands Operands::copy() const {
    std::vector<std::unique_ptr<AnyOperand>> copies;
    for (const auto& each : each_)
        copies.push_back(each->copy());
    Operands result(std::move(copies));
    result.lodging_ = lodging_;
    return result;
}

void Operands::hold_negative(const Operands& right) {
    for (std::size_t i = 0; i < size(); ++i)
        each_[i]->hold_negative(right[i]);
}

void Operands::hold_nearly(const Operands& right, bool each_row) {
    for (std::size_t i = 0; i < size(); ++i)
        each_[i]->hold_nearly(right[i], each_row);
}

Operands::Lodged::Lodged(const Operands& operands) {
    if (!operands.lodging_) return;
    const auto [guest, host, behind] = *operands.lodging_;
    guest_ = &operands[guest];
    guest_->move_in(operands[host], behind);
}

Operands::Lodged::~Lodged() {
    if (guest_ != nullptr) guest_->move_out();
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
