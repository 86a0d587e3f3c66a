#include "picture/blocks.h"

#include "picture/roofline.h"
#include "picture/sheet.h"
#include "text/width.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace picture {
namespace {

constexpr std::size_t max_rows = 16; ///< of a heat map or a table
constexpr int max_name = 7;          ///< columns for the name of a row

std::string cell_of(const Heat& heat, std::size_t i, const Scale& scale, const Signs& signs) {
    const double value = heat.numbers.values[i];
    if (!heat.blank.empty() && heat.blank[i]) return std::string(signs.blank);
    if (std::isnan(value)) return "?";
    if (std::isinf(value)) return "*";
    const int level = scale.level(value);
    if (level == 0) return " ";
    const Shades& shades = level < 0 ? signs.below : signs.above;
    return std::string(shades[static_cast<std::size_t>((std::abs(level) - 1) * 4 / levels)]);
}

std::string name_of_row(const Heat& heat, std::size_t r) {
    return r < heat.rows.size() ? heat.rows[r] : std::to_string(heat.first_row + r);
}

/// What row `r` of the map looks like, `repeat` columns a cell.
std::string cells_of_row(const Heat& heat, std::size_t r, std::size_t cols, int repeat, const Scale& scale,
                         const Signs& signs) {
    std::string text;
    for (std::size_t c = 0; c < cols; ++c)
        for (int k = 0; k < repeat; ++k)
            text += cell_of(heat, r * heat.numbers.cols + c, scale, signs);
    return text;
}

/// Of so many columns that most names fit.
int longest_name(const std::vector<const Heat*>& heats) {
    int longest = 0;
    for (const Heat* heat : heats)
        longest = std::max(longest, text::columns(heat->name));
    return std::min(longest, 20);
}

/// Maps with equally many rows stand side by side where they fit.
void put_heats(Sheet& sheet, const std::vector<const Heat*>& heats, const Scale& scale) {
    if (sheet.plain()) {
        for (const Heat* heat : heats)
            sheet.sentence(describe(*heat));
        return;
    }
    std::size_t rows = 0, cols = 1;
    for (const Heat* heat : heats) {
        rows = std::max(rows, heat->numbers.rows);
        cols = std::max(cols, heat->numbers.cols);
    }
    const int label = max_name + 1;
    const int available = sheet.width() - label;
    const auto side_by_side = [&](int columns) {
        return static_cast<std::size_t>(std::max(available / (columns + 2), 1));
    };
    const int wide = static_cast<int>(cols) * 2; // cells of two columns are about square
    const bool fits = wide <= available && side_by_side(wide) >= heats.size();
    const int repeat = fits || wide <= 16 ? 2 : 1;
    const std::size_t shown_cols = std::min(cols, static_cast<std::size_t>(available / repeat));
    const int columns = std::max(static_cast<int>(shown_cols) * repeat, longest_name(heats));
    const std::size_t a_row = std::min(side_by_side(columns), heats.size());
    for (std::size_t first = 0; first < heats.size(); first += a_row) {
        const std::size_t end = std::min(first + a_row, heats.size());
        std::string names(static_cast<std::size_t>(label), ' ');
        for (std::size_t h = first; h < end; ++h)
            names += sheet.field(heats[h]->name, columns) + "  ";
        sheet.line(names);
        for (std::size_t r = 0; r < std::min(rows, max_rows); ++r) {
            std::string line = sheet.field(name_of_row(*heats[first], r), max_name, true) + " ";
            for (std::size_t h = first; h < end; ++h) {
                const Heat& heat = *heats[h];
                const std::size_t width = std::min(heat.numbers.cols, shown_cols);
                std::string cells =
                    r < heat.numbers.rows
                        ? cells_of_row(heat, r, width, repeat, scale_for(heat, scale), sheet.signs())
                        : "";
                cells += std::string(
                    static_cast<std::size_t>(columns - std::min(columns, text::columns(cells))), ' ');
                line += cells + "  ";
            }
            sheet.line(line);
        }
    }
    if (rows > max_rows || cols > shown_cols)
        sheet.sentence(fmt::format("({} x {} of {} x {}; the page has more)", std::min(rows, max_rows),
                                   shown_cols, rows, cols));
    const auto scale_words = [&](const Shades& shades) {
        std::string text;
        for (const std::string_view shade : shades)
            text += shade;
        return text;
    };
    if (scale.largest > 0)
        sheet.sentence(fmt::format("{} above zero, {} below, up to {}; blank is 0",
                                   scale_words(sheet.signs().above), scale_words(sheet.signs().below),
                                   shown(scale.largest)));
    for (const Heat* heat : heats)
        if (heat->own_scale)
            sheet.sentence(fmt::format("{}: up to {}", heat->name, shown(scale_of(*heat).largest)));
    bool nan = false, infinite = false, blank = false;
    for (const Heat* heat : heats) {
        const Content content = content_of(*heat);
        nan |= content.nan > 0;
        infinite |= content.infinite > 0;
        blank |= content.blank > 0;
    }
    std::string odd = std::string(nan ? ", ? is NaN" : "") + (infinite ? ", * is infinite" : "");
    if (blank) odd += ", " + std::string(sheet.signs().blank) + " was never written";
    if (!odd.empty()) sheet.sentence(odd.substr(2));
}

/// With two bins as one, so that there are half as many lines.
std::vector<double> in_pairs(const std::vector<double>& bins) {
    std::vector<double> pairs;
    for (std::size_t i = 0; i < bins.size(); i += 2)
        pairs.push_back(bins[i] + (i + 1 < bins.size() ? bins[i + 1] : 0));
    return pairs;
}

void put(Sheet& sheet, Histogram histogram) {
    sheet.sentence(describe(histogram));
    if (sheet.plain() || histogram.counts.empty()) return;
    while (histogram.counts.size() > max_rows * 3 / 2 && histogram.counts.size() % 2 == 0) {
        histogram.counts = in_pairs(histogram.counts);
        histogram.expected = in_pairs(histogram.expected);
    }
    double highest = 1;
    for (const auto* values : {&histogram.counts, &histogram.expected})
        for (const double value : *values)
            highest = std::max(highest, value);
    const int width = sheet.width() - 14;
    const auto length = [&](double count) { return static_cast<int>(std::lround(count / highest * width)); };
    const auto bins = static_cast<double>(histogram.counts.size());
    for (std::size_t i = 0; i < histogram.counts.size(); ++i) {
        std::string bar;
        const int filled = length(histogram.counts[i]);
        const int expected = i < histogram.expected.size() ? length(histogram.expected[i]) : -1;
        for (int column = 0; column <= std::max(filled, expected); ++column)
            bar += column == expected ? std::string_view("|") : column < filled ? sheet.signs().bar : " ";
        const double from = histogram.low + (histogram.high - histogram.low) * static_cast<double>(i) / bins;
        sheet.line(sheet.field(shown(from), 10, true) + " " + bar);
    }
    if (!histogram.expected.empty()) sheet.sentence("| is how many there should be");
}

void put(Sheet& sheet, const Lines& lines) {
    sheet.sentence(describe(lines));
    if (sheet.plain()) return;
    constexpr int height = 8;
    double low = INFINITY, high = -INFINITY;
    for (const double value : lines.series.values)
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    if (low > high || lines.series.cols == 0) return;
    const auto width = static_cast<std::size_t>(std::min(sheet.width() - 12, 64));
    std::vector<std::string> rows(height, std::string(width, ' '));
    for (std::size_t s = 0; s < lines.series.rows; ++s)
        for (std::size_t x = 0; x < width; ++x) {
            const double value = lines.series(s, x * lines.series.cols / width);
            if (!std::isfinite(value)) continue;
            const double share = high > low ? (value / 2 - low / 2) / (high / 2 - low / 2) : 0.5;
            rows[static_cast<std::size_t>(std::lround((1 - share) * (height - 1)))][x] =
                static_cast<char>('a' + static_cast<char>(s));
        }
    for (int r = 0; r < height; ++r) {
        const std::string end = r == 0 ? shown(high) : r + 1 == height ? shown(low) : "";
        sheet.line(sheet.field(end, 10, true) + " " + rows[static_cast<std::size_t>(r)]);
    }
    std::string names;
    for (std::size_t s = 0; s < lines.series.rows && s < lines.labels.size(); ++s)
        names += fmt::format("{}{}: {}", s == 0 ? "" : "; ", static_cast<char>('a' + static_cast<char>(s)),
                             lines.labels[s]);
    if (!names.empty()) sheet.sentence(names);
}

void put(Sheet& sheet, const Scatter& scatter) {
    sheet.sentence(describe(scatter));
    if (sheet.plain() || scatter.points.empty()) return;
    constexpr int height = 14;
    const int width = std::min(sheet.width(), 72);
    std::array<double, 2> low = scatter.points.front(), high = low;
    for (const auto& point : scatter.points)
        for (const std::size_t axis : {0U, 1U}) {
            low[axis] = std::min(low[axis], point[axis]);
            high[axis] = std::max(high[axis], point[axis]);
        }
    std::vector<std::string> rows(height, std::string(static_cast<std::size_t>(width), ' '));
    for (std::size_t i = 0; i < scatter.points.size(); ++i) {
        const auto place = [&](std::size_t axis, int cells) {
            const double range = high[axis] - low[axis];
            const double share = range > 0 ? (scatter.points[i][axis] - low[axis]) / range : 0.5;
            return static_cast<std::size_t>(std::lround(share * (cells - 1)));
        };
        std::string label = i < scatter.labels.size() ? scatter.labels[i] : "o";
        label = label.substr(label.find(':') + 1); // npos + 1 is 0: without a group the whole of it
        if (!std::ranges::all_of(label, [](char c) { return c > ' ' && c < '\x7f'; }) || label.empty())
            label = "o";
        std::string& row = rows[height - 1 - place(1, height)];
        label = label.substr(0, 10);
        const std::size_t x = std::min(place(0, width), row.size() - label.size());
        const bool free = row.find_first_not_of(' ', x) >= x + label.size() + 1;
        if (!free) label = "o"; // a name would cover another
        row.replace(x, label.size(), label);
    }
    for (const std::string& row : rows)
        sheet.line(row);
}

void put(Sheet& sheet, const Table& table) {
    sheet.sentence(table.name);
    std::vector<int> widths; // of the columns that fit, one at least
    int available = sheet.width();
    for (std::size_t c = 0; c < table.header.size(); ++c) {
        int width = text::columns(table.header[c]);
        for (const auto& row : table.rows)
            if (c < row.size()) width = std::max(width, text::columns(row[c]));
        width = std::min(width, 24);
        if (c > 0 && width > available) break;
        widths.push_back(width);
        available -= width + 2;
    }
    const auto put_row = [&](const std::vector<std::string>& row) {
        std::string line;
        for (std::size_t c = 0; c < widths.size() && c < row.size(); ++c)
            line += sheet.field(row[c], widths[c]) + "  ";
        sheet.line(line);
    };
    put_row(table.header);
    for (std::size_t r = 0; r < std::min(table.rows.size(), max_rows); ++r)
        put_row(table.rows[r]);
    if (table.rows.size() > max_rows || widths.size() < table.header.size())
        sheet.sentence(fmt::format("({} x {} of {} x {}; the page has more)",
                                   std::min(table.rows.size(), max_rows), widths.size(), table.rows.size(),
                                   table.header.size()));
}

} // namespace

std::string blocks(const Figure& figure, const BlockStyle& style, int indent) {
    Sheet sheet(style, indent);
    if (!figure.title.empty()) sheet.sentence(figure.title);
    for (const std::string& sentence : figure.says)
        sheet.sentence(sentence);
    if (const std::string axes = axes_of(figure); !axes.empty()) sheet.sentence(axes);
    std::vector<const Heat*> heats;
    for (const Chart& chart : figure.charts)
        if (const auto* heat = std::get_if<Heat>(&chart)) heats.push_back(heat);
    if (!heats.empty()) put_heats(sheet, heats, scale_of(figure));
    for (const Chart& chart : figure.charts)
        std::visit(
            [&](const auto& one) {
                if constexpr (!std::is_same_v<std::decay_t<decltype(one)>, Heat>) put(sheet, one);
            },
            chart);
    return std::move(sheet).text();
}

std::string render_text(const Picture& picture, const BlockStyle& style) {
    Sheet sheet(style, 0);
    sheet.sentence(picture.title);
    for (const std::string& remark : picture.remarks)
        sheet.sentence(remark);
    std::string text = std::move(sheet).text();
    for (const Figure& figure : picture.figures)
        text += "\n" + blocks(figure, style);
    return text;
}

} // namespace picture
