#include "terminal/table.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace terminal {
namespace {

constexpr int separator_width = 3;

std::string repeated(std::string_view text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i)
        out += text;
    return out;
}

text::Pieces in_bold(text::Pieces pieces) {
    for (text::Piece& piece : pieces)
        piece.style |= bold;
    return pieces;
}

/// Widths that fit side by side, or nothing.
std::optional<std::vector<int>> fit_columns(const Table& table, int width) {
    const int columns = static_cast<int>(std::min<std::size_t>(table.head.size(), 1000));
    const int room = width - separator_width * (columns - 1);
    if (columns == 0 || room < columns) return std::nullopt;

    std::vector<int> least(table.head.size(), 1), widths(table.head.size(), 1);
    const auto measure = [&](const std::vector<text::Pieces>& row) {
        for (std::size_t c = 0; c < row.size(); ++c) {
            const text::Extent cell = text::extent(row[c]);
            least[c] = std::max(least[c], cell.least);
            widths[c] = std::max(widths[c], std::min(cell.natural, std::max(room, cell.least)));
        }
    };
    measure(table.head);
    std::for_each(table.rows.begin(), table.rows.end(), measure);
    if (std::accumulate(least.begin(), least.end(), 0LL) > room) return std::nullopt;

    // Take from the widest column that can still give, so that narrow ones stay on one line.
    for (long long excess = std::accumulate(widths.begin(), widths.end(), 0LL) - room; excess > 0; --excess) {
        std::size_t widest = widths.size();
        for (std::size_t c = 0; c < widths.size(); ++c)
            if (widths[c] > least[c] && (widest == widths.size() || widths[c] > widths[widest])) widest = c;
        --widths[widest];
    }
    return widths;
}

void append_cell(text::Line& line, const text::Line& cell, int width, Align align) {
    const int blanks = std::max(width - cell.width, 0);
    const int before = align == Align::right ? blanks : align == Align::centre ? blanks / 2 : 0;
    append(line, std::string(static_cast<std::size_t>(before), ' '), plain);
    append(line, cell);
    append(line, std::string(static_cast<std::size_t>(blanks - before), ' '), plain);
}

void append_row(std::vector<text::Line>& lines, const std::vector<text::Pieces>& row, const Table& table,
                const std::vector<int>& widths, bool unicode) {
    std::vector<std::vector<text::Line>> cells;
    std::size_t height = 1;
    for (std::size_t c = 0; c < row.size(); ++c) {
        cells.push_back(text::wrap(row[c], widths[c]));
        height = std::max(height, cells.back().size());
    }
    for (std::size_t h = 0; h < height; ++h) {
        text::Line line;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            if (c > 0) append(line, unicode ? " │ " : " | ", plain);
            append_cell(line, h < cells[c].size() ? cells[c][h] : text::Line{}, widths[c], table.align[c]);
        }
        lines.push_back(std::move(line));
    }
}

std::vector<text::Line> side_by_side(const Table& table, const std::vector<int>& widths, bool unicode) {
    std::vector<text::Line> lines;
    std::vector<text::Pieces> head;
    for (const text::Pieces& cell : table.head)
        head.push_back(in_bold(cell));
    append_row(lines, head, table, widths, unicode);
    text::Line rule;
    for (std::size_t c = 0; c < widths.size(); ++c)
        append(rule, (c > 0 ? unicode ? "─┼─" : "-+-" : "") + repeated(unicode ? "─" : "-", widths[c]),
               plain);
    lines.push_back(std::move(rule));
    for (const auto& row : table.rows)
        append_row(lines, row, table, widths, unicode);
    return lines;
}

} // namespace

std::vector<text::Line> lay_out(const Table& table, int width, bool unicode) {
    if (const auto widths = fit_columns(table, width)) return side_by_side(table, *widths, unicode);
    return one_by_one(table, width);
}

std::vector<text::Line> one_by_one(const Table& table, int width) {
    constexpr int indent = 2;
    std::vector<text::Line> lines;
    for (const auto& row : table.rows) {
        if (!lines.empty()) lines.emplace_back();
        for (std::size_t c = 0; c < row.size(); ++c) {
            if (row[c].empty()) continue;
            text::Pieces text = in_bold(table.head[c]);
            if (!text.empty()) text.push_back({": ", plain});
            text.insert(text.end(), row[c].begin(), row[c].end());
            bool first = true;
            for (const text::Line& part : text::wrap(text, width - indent)) {
                text::Line line;
                if (!first) append(line, std::string(indent, ' '), plain);
                append(line, part);
                lines.push_back(std::move(line));
                first = false;
            }
        }
    }
    return lines;
}

} // namespace terminal
