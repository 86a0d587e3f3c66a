#include "terminal/printer.h"

#include "text/width.h"

namespace terminal {

void Printer::open(std::string first, std::string rest) {
    const int width = text::columns(first);
    if (too_deep_ > 0 || indent_ + width > style_.width / 2) {
        ++too_deep_;
        return;
    }
    blocks_.push_back({std::move(first), std::move(rest), width, false});
    indent_ += width;
}

void Printer::close() {
    if (too_deep_ > 0) {
        --too_deep_;
        return;
    }
    if (!blocks_.back().begun) line({});
    indent_ -= blocks_.back().width;
    blocks_.pop_back();
}

void Printer::line(const text::Line& line) {
    if (blank_ && !out_.empty()) {
        std::string prefix;
        for (const Block& block : blocks_)
            if (block.begun) prefix += block.rest;
        end_line(std::move(prefix));
    }
    blank_ = false;
    std::string text;
    for (Block& block : blocks_) {
        text += block.begun ? block.rest : block.first;
        block.begun = true;
    }
    end_line(text + painted(line, style_.colour, style_.links));
}

void Printer::end_line(std::string line) {
    line.erase(line.find_last_not_of(' ') + 1);
    out_ += line + '\n';
}

} // namespace terminal
