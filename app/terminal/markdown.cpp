#include "terminal/markdown.h"

#include "terminal/printer.h"
#include "terminal/spans.h"
#include "terminal/table.h"
#include "text/clean.h"
#include "text/width.h"

#include <md4c.h>

#include <algorithm>

namespace terminal {
namespace {

constexpr std::size_t longest_input = 2 * 1024 * 1024;
constexpr std::size_t max_cells = 50'000;
constexpr int narrowest = 20;
constexpr const char* cut_note = "[... the rest is too much to show here]";

/// Receives md4c's events in order and prints each block when it ends, so that only one block is held at a
/// time.
class Renderer {
  public:
    Renderer(Style style, std::size_t input_size)
        : style_(style), printer_(style), spans_(style), budget_(8 * input_size + 64 * 1024) {}

    void enter(MD_BLOCKTYPE type, const void* detail);
    void leave(MD_BLOCKTYPE type);
    void enter(MD_SPANTYPE type, const void* detail) { spans_.enter(type, detail); }
    void leave(MD_SPANTYPE type) { spans_.leave(type); }
    void text(MD_TEXTTYPE type, std::string_view text);

    /// Some input grows without measure: a head of a thousand columns gives each later row a thousand cells.
    bool exhausted() { return ++events_ > budget_ || printer_.text().size() > budget_ || cells_ > max_cells; }

    std::string finish(bool complete);

  private:
    struct List {
        bool tight = true;
        bool ordered = false;
        unsigned long long next = 1;
    };

    void open_item();
    const char* quote_sign() const { return style_.plain ? "  " : style_.unicode ? "│ " : "| "; }
    void print_paragraph();
    void print_heading();
    void print_code();
    void print_table();
    void print_rule(std::string_view letter, int columns);
    void end_block() { printer_.separate(lists_.empty() || !lists_.back().tight); }

    Style style_;
    Printer printer_;
    Spans spans_;
    std::size_t budget_;
    std::size_t events_ = 0;
    std::size_t cells_ = 0;
    std::vector<List> lists_;
    unsigned heading_level_ = 0;
    bool in_code_ = false;
    std::string code_;
    Table table_;
    bool in_head_ = false;
};

Align align(MD_ALIGN align) {
    return align == MD_ALIGN_RIGHT ? Align::right : align == MD_ALIGN_CENTER ? Align::centre : Align::left;
}

void Renderer::enter(MD_BLOCKTYPE type, const void* detail) {
    print_paragraph(); // an item of a tight list has text without a paragraph around it
    switch (type) {
    case MD_BLOCK_QUOTE:
        lists_.push_back({false, false, 1}); // paragraphs of a quote stand apart, also inside a tight list
        printer_.open(quote_sign(), quote_sign());
        break;
    case MD_BLOCK_UL:
        lists_.push_back({static_cast<const MD_BLOCK_UL_DETAIL*>(detail)->is_tight != 0, false, 1});
        break;
    case MD_BLOCK_OL: {
        const auto* list = static_cast<const MD_BLOCK_OL_DETAIL*>(detail);
        lists_.push_back({list->is_tight != 0, true, list->start});
        break;
    }
    case MD_BLOCK_LI: open_item(); break;
    case MD_BLOCK_H: heading_level_ = static_cast<const MD_BLOCK_H_DETAIL*>(detail)->level; break;
    case MD_BLOCK_CODE: in_code_ = true; break;
    case MD_BLOCK_TABLE: table_ = {}; break;
    case MD_BLOCK_THEAD: in_head_ = true; break;
    case MD_BLOCK_TBODY: in_head_ = false; break;
    case MD_BLOCK_TR:
        if (!in_head_) table_.rows.emplace_back();
        break;
    case MD_BLOCK_TH:
        ++cells_;
        table_.align.push_back(align(static_cast<const MD_BLOCK_TD_DETAIL*>(detail)->align));
        break;
    case MD_BLOCK_TD: ++cells_; break;
    default: break;
    }
}

void Renderer::leave(MD_BLOCKTYPE type) {
    switch (type) {
    case MD_BLOCK_P: print_paragraph(); break;
    case MD_BLOCK_H: print_heading(); break;
    case MD_BLOCK_CODE: print_code(); break;
    case MD_BLOCK_HR:
        if (style_.plain) break;
        print_rule(style_.unicode ? "─" : "-", printer_.columns_left());
        break;
    case MD_BLOCK_QUOTE:
        printer_.close();
        lists_.pop_back();
        break;
    case MD_BLOCK_LI:
        print_paragraph();
        printer_.close();
        break;
    case MD_BLOCK_UL:
    case MD_BLOCK_OL: lists_.pop_back(); break;
    case MD_BLOCK_TH: table_.head.push_back(spans_.take()); return;
    case MD_BLOCK_TD: table_.rows.back().push_back(spans_.take()); return;
    case MD_BLOCK_TABLE: print_table(); break;
    default: return;
    }
    end_block();
}

void Renderer::text(MD_TEXTTYPE type, std::string_view text) {
    if (in_code_)
        code_ += text;
    else
        spans_.text(type, text);
}

void Renderer::open_item() {
    List& list = lists_.back();
    const std::string sign = list.ordered                      ? std::to_string(list.next++) + ". "
                             : style_.unicode && !style_.plain ? "• "
                                                               : "- ";
    printer_.open(sign, std::string(static_cast<std::size_t>(text::columns(sign)), ' '));
}

void Renderer::print_paragraph() {
    const text::Pieces pieces = spans_.take();
    if (pieces.empty()) return;
    for (const text::Line& line : text::wrap(pieces, printer_.columns_left()))
        printer_.line(line);
    printer_.separate(false);
}

void Renderer::print_heading() {
    text::Pieces pieces = spans_.take();
    for (text::Piece& piece : pieces)
        piece.style |= bold;
    const bool signed_level = heading_level_ > 2 && !style_.colour && !style_.plain;
    if (signed_level) pieces.insert(pieces.begin(), {std::string(heading_level_, '#') + " ", bold});
    int columns = 0;
    for (const text::Line& line : text::wrap(pieces, printer_.columns_left())) {
        printer_.line(line);
        columns = std::max(columns, line.width);
    }
    columns = std::min(columns, printer_.columns_left());
    if (style_.plain) return;
    if (heading_level_ == 1) print_rule(style_.unicode ? "═" : "=", columns);
    if (heading_level_ == 2 && !style_.colour) print_rule(style_.unicode ? "─" : "-", columns);
}

void Renderer::print_code() {
    in_code_ = false;
    std::string text = text::printable(code_, text::charset(style_.unicode));
    code_.clear();
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    std::string_view rest = text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        text::Line line;
        append(line, "    ", plain);
        append(line, rest.substr(0, end), plain);
        printer_.line(line);
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
}

void Renderer::print_table() {
    const int width = printer_.columns_left();
    for (const text::Line& line :
         style_.plain ? one_by_one(table_, width) : lay_out(table_, width, style_.unicode))
        printer_.line(line);
    table_ = {};
}

void Renderer::print_rule(std::string_view letter, int columns) {
    text::Line line;
    for (int i = 0; i < columns; ++i)
        append(line, letter, plain);
    if (columns > 0) printer_.line(line);
}

std::string Renderer::finish(bool complete) {
    if (complete) return printer_.text();
    text::Line note;
    append(note, cut_note, plain);
    return printer_.text() + painted(note, style_.colour) + '\n';
}

template <typename Type>
int enter(Type type, void* detail, void* renderer) {
    static_cast<Renderer*>(renderer)->enter(type, detail);
    return static_cast<Renderer*>(renderer)->exhausted() ? 1 : 0;
}

template <typename Type>
int leave(Type type, void* /*detail*/, void* renderer) {
    static_cast<Renderer*>(renderer)->leave(type);
    return static_cast<Renderer*>(renderer)->exhausted() ? 1 : 0;
}

int text(MD_TEXTTYPE type, const MD_CHAR* text, MD_SIZE size, void* renderer) {
    static_cast<Renderer*>(renderer)->text(type, {text, size});
    return static_cast<Renderer*>(renderer)->exhausted() ? 1 : 0;
}

} // namespace

std::string render_markdown(std::string_view markdown, const Style& style) {
    Style usable = style;
    usable.width = std::max(style.width, narrowest);
    const bool fits = markdown.size() <= longest_input;
    const std::string_view input = markdown.substr(0, longest_input);

    MD_PARSER parser{};
    // HTML is shown as it was typed: nothing here could do anything better with it.
    parser.flags = MD_FLAG_TABLES | MD_FLAG_NOHTML | MD_FLAG_PERMISSIVEURLAUTOLINKS;
    parser.enter_block = enter<MD_BLOCKTYPE>;
    parser.leave_block = leave<MD_BLOCKTYPE>;
    parser.enter_span = enter<MD_SPANTYPE>;
    parser.leave_span = leave<MD_SPANTYPE>;
    parser.text = text;
    Renderer renderer(usable, input.size());
    const int status = md_parse(input.data(), static_cast<MD_SIZE>(input.size()), &parser, &renderer);
    return renderer.finish(fits && status == 0);
}

} // namespace terminal
