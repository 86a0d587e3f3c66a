#include "subject/call_note.h"

namespace subject {

std::string CallNote::print() const {
    if (function_ == nullptr) return {};
    std::string text = function_;
    for (std::size_t i = 0; i < count_; ++i)
        text += (i == 0 ? "(" : ", ") + arguments_[i].print(arguments_[i]);
    return text + (count_ == 0 ? "()" : ")");
}

} // namespace subject
