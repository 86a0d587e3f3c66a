#include "terminal/spans.h"

#include "text/clean.h"
#include "text/utf8.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace terminal {
namespace {

struct Entity {
    std::string_view name;
    std::string_view text;
};

/// The names that prose about code and formulas uses; any other stays as it was typed.
constexpr auto entities = std::to_array<Entity>({
    {"&amp;", "&"},    {"&lt;", "<"},    {"&gt;", ">"},    {"&quot;", "\""},  {"&apos;", "'"},
    {"&nbsp;", " "},   {"&ndash;", "–"}, {"&mdash;", "—"}, {"&hellip;", "…"}, {"&times;", "×"},
    {"&middot;", "·"}, {"&minus;", "−"}, {"&le;", "≤"},    {"&ge;", "≥"},     {"&ne;", "≠"},
    {"&rarr;", "→"},   {"&larr;", "←"},  {"&radic;", "√"}, {"&sum;", "Σ"},    {"&copy;", "©"},
});

std::string decoded(std::string_view entity) {
    if (entity.size() > 3 && entity[1] == '#') {
        const bool hexadecimal = entity[2] == 'x' || entity[2] == 'X';
        const char* begin = entity.data() + (hexadecimal ? 3 : 2);
        std::uint32_t value = 0;
        const auto result =
            std::from_chars(begin, entity.data() + entity.size() - 1, value, hexadecimal ? 16 : 10);
        std::string out;
        text::append(out, result.ec == std::errc() && value >= 0x20 ? value : text::replacement);
        return out;
    }
    for (const Entity& row : entities)
        if (row.name == entity) return std::string(row.text);
    return std::string(entity);
}

std::string decoded(const MD_ATTRIBUTE& attribute) {
    std::string out;
    for (std::size_t i = 0; attribute.text != nullptr && attribute.substr_offsets[i] < attribute.size; ++i) {
        const std::string_view part(attribute.text + attribute.substr_offsets[i],
                                    attribute.substr_offsets[i + 1] - attribute.substr_offsets[i]);
        out += attribute.substr_types[i] == MD_TEXT_ENTITY ? decoded(part) : std::string(part);
    }
    return out;
}

std::string address(const MD_ATTRIBUTE& attribute, bool unicode) {
    std::string text = text::printable(decoded(attribute), text::charset(unicode));
    text.erase(std::remove_if(text.begin(), text.end(), [](char c) { return c == ' ' || c == '\n'; }),
               text.end());
    return text;
}

} // namespace

void Spans::enter(MD_SPANTYPE type, const void* detail) {
    switch (type) {
    case MD_SPAN_STRONG:
        ++strong_;
        sign("**");
        break;
    case MD_SPAN_EM:
        ++emphasis_;
        sign("*");
        break;
    case MD_SPAN_CODE:
        ++code_;
        sign("`");
        break;
    case MD_SPAN_A:
        links_.push_back(
            {address(static_cast<const MD_SPAN_A_DETAIL*>(detail)->href, style_.unicode), pieces_.size()});
        break;
    case MD_SPAN_IMG:
        links_.push_back(
            {address(static_cast<const MD_SPAN_IMG_DETAIL*>(detail)->src, style_.unicode), pieces_.size()});
        break;
    default: break;
    }
}

void Spans::leave(MD_SPANTYPE type) {
    switch (type) {
    case MD_SPAN_STRONG:
        sign("**");
        --strong_;
        break;
    case MD_SPAN_EM:
        sign("*");
        --emphasis_;
        break;
    case MD_SPAN_CODE:
        sign("`");
        --code_;
        break;
    case MD_SPAN_A:
    case MD_SPAN_IMG: end_link(); break;
    default: break;
    }
}

void Spans::text(MD_TEXTTYPE type, std::string_view text) {
    switch (type) {
    case MD_TEXT_BR: add("\n"); break;
    case MD_TEXT_SOFTBR: add(" "); break;
    case MD_TEXT_NULLCHAR: add("\uFFFD"); break;
    case MD_TEXT_ENTITY: add(decoded(text)); break;
    default: add(text); break;
    }
}

text::Pieces Spans::take() {
    text::Pieces taken;
    std::swap(taken, pieces_);
    return taken;
}

void Spans::add(std::string_view text) {
    const unsigned look = (strong_ > 0 ? bold : plain) | (emphasis_ > 0 ? italic : plain) |
                          (code_ > 0 ? code | whole : plain) | (links_.empty() ? plain : link);
    pieces_.push_back({text::printable(text, text::charset(style_.unicode)), look});
}

/// Markdown's own sign, where there is no colour to say the same.
void Spans::sign(std::string_view markdown) {
    if (!style_.colour && !style_.plain) add(markdown);
}

void Spans::end_link() {
    const Target target = std::move(links_.back());
    links_.pop_back();
    std::string shown;
    for (std::size_t i = target.begins; i < pieces_.size(); ++i)
        shown += pieces_[i].text;
    if (target.address == shown || target.address == "mailto:" + shown) {
        for (std::size_t i = target.begins; i < pieces_.size(); ++i)
            pieces_[i].style |= whole;
    } else if (!target.address.empty()) {
        if (!shown.empty()) pieces_.push_back({" ", plain});
        pieces_.push_back({"(" + target.address + ")", link | whole});
    }
}

} // namespace terminal
