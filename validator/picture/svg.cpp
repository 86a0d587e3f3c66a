#include "picture/svg.h"

#include "picture/svg_parts.h"
#include "text/markup.h"
#include "text/width.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

namespace picture {
namespace {

Drawing drawn(const Histogram& histogram, const Figure& figure, const Scale&) {
    double highest = 1;
    for (const auto* values : {&histogram.counts, &histogram.expected})
        for (const double value : *values)
            highest = std::max(highest, value);
    const Plot plot{histogram.low, histogram.high, 0, highest};
    const double width = plot_width / static_cast<double>(std::max<std::size_t>(histogram.counts.size(), 1));
    std::string bars, curve;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i)
        bars += fmt::format("M{:.5g} {}V{:.5g}h{:.4g}V{}z", left + width * static_cast<double>(i),
                            top + plot_height, plot.y(histogram.counts[i]), width * 0.9, top + plot_height);
    for (std::size_t i = 0; i < histogram.expected.size(); ++i)
        curve += fmt::format("{}{:.5g} {:.5g}", i == 0 ? "M" : "L",
                             left + width * (static_cast<double>(i) + 0.5), plot.y(histogram.expected[i]));
    std::string body = plot.frame() + fmt::format("<path class=\"bar\" d=\"{}\"/>", bars);
    if (!curve.empty()) body += fmt::format("<path class=\"line s1\" d=\"{}\"/>", curve);
    body += plot.ends_of_x() + plot.ends_of_y();
    if (!figure.cols.empty())
        body += words(left + plot_width / 2.0, top + plot_height + 14, "middle", figure.cols);
    if (!curve.empty())
        body += fmt::format("<path class=\"bar\" d=\"M{} 222h14v8h-14z\"/>", left) +
                words(left + 20, 230, "start", "counted") +
                fmt::format("<path class=\"line s1\" d=\"M{} 226h20\"/>", left + 90) +
                words(left + 116, 230, "start", "as it should be");
    return {top + plot_height + (curve.empty() ? 20 : 38), body};
}

Drawing drawn(const Lines& lines, const Figure& figure, const Scale&) {
    double low = INFINITY, high = -INFINITY;
    for (const double value : lines.series.values)
        if (std::isfinite(value)) {
            low = std::min(low, value);
            high = std::max(high, value);
        }
    if (low > high) low = high = 0;
    const Plot plot{0, static_cast<double>(std::max<std::size_t>(lines.series.cols, 2) - 1), low, high};
    std::string body = plot.frame() + plot.ends_of_x() + plot.ends_of_y();
    if (!figure.cols.empty())
        body += words(left + plot_width / 2.0, top + plot_height + 14, "middle", figure.cols);
    int height = top + plot_height + 20;
    for (std::size_t r = 0; r < lines.series.rows; ++r) {
        std::string path;
        bool pen = false; // a value that is no number leaves a gap
        for (std::size_t c = 0; c < lines.series.cols; ++c) {
            const double value = lines.series(r, c);
            if (std::isfinite(value))
                path += fmt::format("{}{:.5g} {:.5g}", pen ? "L" : "M", plot.x(static_cast<double>(c)),
                                    plot.y(value));
            pen = std::isfinite(value);
        }
        if (!path.empty()) body += fmt::format("<path class=\"line s{}\" d=\"{}\"/>", r % max_groups, path);
        height += 16;
        body += fmt::format("<path class=\"line s{}\" d=\"M{} {}h24\"/>", r % max_groups, left, height - 14);
        body += words(left + 30, height - 10, "start",
                      r < lines.labels.size() ? lines.labels[r] : fmt::format("series {}", r));
    }
    return {height, body};
}

Drawing drawn(const Table&, const Figure&, const Scale&) {
    return {};
}

/// A table as lines of text, where there is nothing else to put it into.
Drawing written(const Table& table) {
    Drawing drawing;
    for (const auto& row : table.rows) {
        std::string line;
        for (const std::string& cell : row)
            line += (line.empty() ? "" : "  ") + cell;
        drawing.height += 16;
        drawing.body += words(left, drawing.height, "start", line);
    }
    drawing.height += 6;
    return drawing;
}

} // namespace

std::string_view colours() {
    return "svg text{font:12px system-ui,sans-serif;fill:var(--ink)}"
           "svg path{fill:none;stroke:none}"
           "svg .above{fill:var(--above);shape-rendering:crispEdges}"
           "svg .below{fill:var(--below);shape-rendering:crispEdges}"
           "svg .bar{fill:var(--above)}svg .infinite{fill:var(--ink)}"
           "svg .nan,svg .blank{stroke:var(--ink);stroke-width:1}"
           "svg .frame{stroke:var(--line)}svg .grid{stroke:var(--line);stroke-opacity:.4}svg "
           ".line{stroke-width:2}"
           "svg .line.s0{stroke:var(--s0)}svg .line.s1{stroke:var(--s1);stroke-dasharray:6 3}"
           "svg .line.s2{stroke:var(--s2);stroke-dasharray:2 2}svg .line.s3{stroke:var(--s3)}"
           "svg .line.s4{stroke:var(--s4);stroke-dasharray:6 3}svg .line.s5{stroke:var(--s5)}"
           "svg .mark.s0{fill:var(--s0)}svg .mark.s1{fill:var(--s1)}svg .mark.s2{fill:var(--s2)}"
           "svg .mark.s3{fill:var(--s3)}svg .mark.s4{fill:var(--s4)}svg .mark.s5{fill:var(--s5)}"
           ":root{--paper:#fff;--ink:#1c1e21;--soft:#5a6068;--line:#8a9099;--above:#1f5fa8;--below:#b3440a;"
           "--good:#1a6b2f;--bad:#a8201a;"
           "--s0:#1f5fa8;--s1:#b3440a;--s2:#1a6b2f;--s3:#7a3e9d;--s4:#8a6a00;--s5:#00707a}"
           "@media(prefers-color-scheme:dark){:root{--paper:#15171a;--ink:#e6e8ea;--soft:#a4abb3;--line:#"
           "7d848c;"
           "--above:#6fb1f5;--below:#f4996a;--good:#74d08b;--bad:#ff8d85;"
           "--s0:#6fb1f5;--s1:#f4996a;--s2:#74d08b;--s3:#d0a3ec;--s4:#dcc05a;--s5:#5fd0da}}"
           "@media "
           "print{:root{--paper:#fff;--ink:#000;--soft:#333;--line:#666;--above:#1f5fa8;--below:#b3440a;"
           "--good:#1a6b2f;--bad:#a8201a}}";
}

Drawing draw(const Chart& chart, const Figure& figure, const Scale& scale) {
    return std::visit([&](const auto& one) { return drawn(one, figure, scale); }, chart);
}

std::string render_svg(const Picture& picture) {
    constexpr int gap = 20, columns = 3;
    const int width = columns * chart_width + (columns + 1) * gap;
    std::string body;
    int y = gap + 16;
    body += fmt::format("<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>", gap, y,
                        text::markup(picture.title));
    for (const std::string& remark : picture.remarks)
        body += words(gap, y += 18, "start", remark);
    std::string description;
    for (const Figure& figure : picture.figures) {
        y += 28;
        body += fmt::format("<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>", gap, y,
                            text::markup(figure.title));
        const Scale scale = scale_of(figure);
        int column = 0, tallest = 0;
        for (const Chart& chart : figure.charts) {
            const auto* table = std::get_if<Table>(&chart);
            const Drawing drawing = table != nullptr ? written(*table) : draw(chart, figure, scale);
            if (column == columns) {
                column = 0;
                y += std::exchange(tallest, 0);
            }
            body +=
                fmt::format("<g transform=\"translate({} {})\">{}<g transform=\"translate(0 24)\">{}</g></g>",
                            gap + column * (chart_width + gap), y + 8,
                            words(0, 12, "start", text::shortened(name_of(chart), 48)), drawing.body);
            tallest = std::max(tallest, drawing.height + 32);
            ++column;
            description += describe(chart) + " ";
        }
        y += tallest;
    }
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{}\" height=\"{}\" "
        "role=\"img\" aria-labelledby=\"t d\"><title id=\"t\">{}</title><desc id=\"d\">{}</desc>"
        "<style>{}</style><rect width=\"100%\" height=\"100%\" style=\"fill:var(--paper)\"/>{}</svg>\n",
        width, y + gap, width, y + gap, text::markup(picture.title), text::markup(description), colours(),
        body);
}

} // namespace picture
