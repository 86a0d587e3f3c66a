#include "subject/call_note.h"

namespace subject {

std::string CallNote::print() const {
    if (function_ == nullptr) return {};
    std::string text = function_;
    for (std::size_t i = 0; i < count_; ++i)
        text += (i == 0 ? "(" : ", ") + arguments_[i].print(arguments_[i]);
    return text + (count_ == 0 ? "()" : ")");
}

template std::string CallNote::print_one<contract::Matrix<const float>>(const Argument&);
template std::string CallNote::print_one<contract::Matrix<float>>(const Argument&);
template std::string CallNote::print_one<contract::Tensor3<const float>>(const Argument&);
template std::string CallNote::print_one<contract::Tensor3<float>>(const Argument&);
template std::string CallNote::print_one<std::span<const float>>(const Argument&);
template std::string CallNote::print_one<std::span<float>>(const Argument&);
template std::string CallNote::print_one<std::span<const std::int32_t>>(const Argument&);
template std::string CallNote::print_one<contract::Matrix<const std::int32_t>>(const Argument&);

} // namespace subject
