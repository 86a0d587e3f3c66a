#include "picture/svg_parts.h"

#include "text/markup.h"
#include "text/width.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace picture {
namespace {

/// Steps of the scale from its lowest to its highest, with the numbers that they stand for.
std::string legend(const Scale& scale, int y) {
    constexpr double step = 8;
    constexpr double width = step * (2 * levels + 1);
    constexpr double first = left + (plot_width - width) / 2;
    std::string body;
    for (int level = -levels; level <= levels; ++level)
        body += fmt::format("<path class=\"{}\" fill-opacity=\"{:.3g}\" d=\"M{:.4g} {}h{}v8h-{}z\"/>",
                            level < 0 ? "below" : "above", std::abs(level) / static_cast<double>(levels),
                            first + step * (level + levels), y, step, step);
    body += fmt::format("<path class=\"frame\" d=\"M{:.4g} {}h{}v8h-{}z\"/>", first, y, width, width);
    body += words(first, y + 21, "start", shown(-scale.largest));
    body += words(first + width / 2, y + 21, "middle", "0");
    body += words(first + width, y + 21, "end", shown(scale.largest));
    return body;
}

struct Cells {
    double width = 0;
    double height = 0;
    double x = 0; ///< of the first
    double y = 0;
};

/// One path for each degree of colour, and for each kind of what is no number.
std::string cells_of(const Heat& heat, const Scale& scale, const Cells& cells) {
    std::map<int, std::string> paths;
    std::string nan, infinite, blank;
    const Numbers& numbers = heat.numbers;
    for (std::size_t r = 0; r < numbers.rows; ++r)
        for (std::size_t c = 0; c < numbers.cols; ++c) {
            const double x = cells.x + cells.width * static_cast<double>(c);
            const double y = cells.y + cells.height * static_cast<double>(r);
            const double value = numbers(r, c), w = cells.width, h = cells.height;
            const auto box = [&] {
                return fmt::format("M{:.5g} {:.5g}h{:.4g}v{:.4g}h-{:.4g}z", x, y, w, h, w);
            };
            if (!heat.blank.empty() && heat.blank[r * numbers.cols + c])
                blank += fmt::format("M{:.5g} {:.5g}h{:.4g}", x + w * 0.35, y + h / 2, w * 0.3);
            else if (std::isnan(value))
                nan +=
                    fmt::format("M{:.5g} {:.5g}l{:.4g} {:.4g}m0 -{:.4g}l-{:.4g} {:.4g}", x, y, w, h, h, w, h);
            else if (std::isinf(value))
                infinite += box();
            else if (const int level = scale.level(value); level != 0)
                paths[level] += box();
        }
    std::string body;
    for (const auto& [level, path] : paths)
        body +=
            fmt::format("<path class=\"{}\" fill-opacity=\"{:.3g}\" d=\"{}\"/>",
                        level < 0 ? "below" : "above", std::abs(level) / static_cast<double>(levels), path);
    for (const auto& [name, path] : {std::pair{"nan", &nan}, {"infinite", &infinite}, {"blank", &blank}})
        if (!path->empty()) body += fmt::format("<path class=\"{}\" d=\"{}\"/>", name, *path);
    return body;
}

/// Lines between cells that are large enough for it: without them equal neighbours run together.
std::string grid_of(const Numbers& numbers, const Cells& cells) {
    constexpr double smallest = 6;
    const double right = cells.x + cells.width * static_cast<double>(numbers.cols);
    const double bottom = cells.y + cells.height * static_cast<double>(numbers.rows);
    std::string path;
    for (std::size_t c = 1; cells.width >= smallest && c < numbers.cols; ++c)
        path +=
            fmt::format("M{:.5g} {}V{:.5g}", cells.x + cells.width * static_cast<double>(c), cells.y, bottom);
    for (std::size_t r = 1; cells.height >= smallest && r < numbers.rows; ++r)
        path +=
            fmt::format("M{} {:.5g}H{:.5g}", cells.x, cells.y + cells.height * static_cast<double>(r), right);
    return path.empty() ? "" : fmt::format("<path class=\"grid\" d=\"{}\"/>", path);
}

std::string row_label(const Heat& heat, std::size_t r) {
    const std::string label = r < heat.rows.size() ? heat.rows[r] : std::to_string(heat.first_row + r);
    return label.substr(0, text::bytes_within(label, 6));
}

} // namespace

std::string words(double x, double y, std::string_view anchor, std::string_view text) {
    return fmt::format("<text x=\"{:.4g}\" y=\"{:.4g}\" text-anchor=\"{}\">{}</text>", x, y, anchor,
                       text::markup(text));
}

Drawing drawn(const Heat& heat, const Figure& figure, const Scale& shared) {
    const Scale scale = scale_for(heat, shared);
    const Numbers& numbers = heat.numbers;
    const auto rows = static_cast<double>(std::max<std::size_t>(numbers.rows, 1));
    const auto cols = static_cast<double>(std::max<std::size_t>(numbers.cols, 1));
    Cells cells;
    cells.width = std::min(28.0, plot_width / cols);
    cells.height = std::clamp(240 / rows, 2.0, 28.0);
    cells.x = left;
    cells.y = top;
    Drawing drawing;
    const double right = cells.x + cells.width * cols, bottom = cells.y + cells.height * rows;
    drawing.body =
        fmt::format("<path class=\"frame\" d=\"M{} {}H{:.5g}V{:.5g}H{}z\"/>", left, top, right, bottom, left);
    drawing.body += cells_of(heat, scale, cells);
    drawing.body += grid_of(numbers, cells);
    // Wide maps have the axis' name in the middle, and numbers of far columns need more than a cell.
    const bool each = cells.width >= 24 && right - left <= 120 && heat.first_col + numbers.cols <= 1000;
    for (std::size_t c = 0; each && c < numbers.cols; ++c)
        drawing.body += words(left + cells.width * (static_cast<double>(c) + 0.5), top - 5, "middle",
                              std::to_string(heat.first_col + c));
    if (!each && numbers.cols > 0) {
        const std::string last = std::to_string(heat.first_col + numbers.cols - 1);
        const std::string first = numbers.cols > 1 ? std::to_string(heat.first_col) : "";
        drawing.body += words(left, top - 5, "start", first) + words(right, top - 5, "end", last);
        if (right - left > 120 && !figure.cols.empty())
            drawing.body += words((left + right) / 2, top - 5, "middle", figure.cols);
    }
    const std::size_t every = cells.height >= 12 ? 1 : numbers.rows; // else the first and the last
    for (std::size_t r = 0; r < numbers.rows; ++r)
        if (r % every == 0 || r + 1 == numbers.rows)
            drawing.body += words(left - 5, cells.y + cells.height * (static_cast<double>(r) + 0.5) + 4,
                                  "end", row_label(heat, r));
    drawing.height = static_cast<int>(bottom) + 34;
    drawing.body += legend(scale, static_cast<int>(bottom) + 8);
    return drawing;
}

} // namespace picture
