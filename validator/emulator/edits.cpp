#include "emulator/edits.h"

namespace emulator {

std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + '"';
}

void Edits::replace(std::size_t i, std::string text) {
    replacement_[view_->position(i)] = std::move(text);
    changed_[view_->position(i)] = true;
}

void Edits::remove(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i)
        replace(i, "");
}

std::string Edits::flat(std::size_t begin, std::size_t end) const {
    std::string out;
    for (std::size_t i = begin; i < end; ++i) {
        const std::size_t at = view_->position(i);
        const bool spaced = i > begin && at > view_->position(i - 1) + 1;
        if (spaced) out += ' ';
        out += changed_[at] ? std::string_view(replacement_[at]) : (*tokens_)[at].text;
    }
    return out;
}

std::string Edits::text() const {
    std::string out;
    for (std::size_t i = 0; i < tokens_->size(); ++i)
        out += changed_[i] ? std::string_view(replacement_[i]) : (*tokens_)[i].text;
    return out;
}

} // namespace emulator
