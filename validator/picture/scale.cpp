#include "picture/scale.h"

#include "picture/roofline.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace picture {
namespace {

bool is_blank(const Heat& heat, std::size_t i) {
    return !heat.blank.empty() && heat.blank[i];
}

std::string counted(std::size_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string described(const Heat& heat) {
    const Content content = content_of(heat);
    std::string text = fmt::format("{}: {}, {}", heat.name, counted(heat.numbers.rows, "row"),
                                   counted(heat.numbers.cols, "column"));
    if (content.finite > 0)
        text += fmt::format("; from {} to {}", shown(content.least), shown(content.greatest));
    if (content.zero > 0) text += "; " + counted(content.zero, "zero");
    if (content.nan > 0) text += fmt::format("; {} NaN", content.nan);
    if (content.infinite > 0) text += fmt::format("; {} infinite", content.infinite);
    if (content.blank > 0) text += fmt::format("; {} never written", content.blank);
    return text + ".";
}

std::string described(const Histogram& histogram) {
    double total = 0;
    for (const double count : histogram.counts)
        total += count;
    const auto top = std::ranges::max_element(histogram.counts);
    if (top == histogram.counts.end()) return histogram.name + ": no values.";
    const double width = (histogram.high - histogram.low) / static_cast<double>(histogram.counts.size());
    const double from = histogram.low + width * static_cast<double>(top - histogram.counts.begin());
    std::string text =
        fmt::format("{}: {} values in {} bins; most, {}, lie between {} and {}", histogram.name, shown(total),
                    histogram.counts.size(), shown(*top), shown(from), shown(from + width));
    if (histogram.expected.empty()) return text + ".";
    double off = 0;
    for (std::size_t i = 0; i < histogram.counts.size(); ++i)
        off += std::abs(histogram.counts[i] - histogram.expected[i]);
    return text + fmt::format("; {} of them are in other bins than expected.", shown(off / 2));
}

std::string described(const Lines& lines) {
    std::string text = fmt::format("{}: ", lines.name);
    for (std::size_t r = 0; r < lines.series.rows; ++r) {
        text += fmt::format("{}{}", r == 0 ? "" : "; ",
                            r < lines.labels.size() ? lines.labels[r] : fmt::format("series {}", r));
        if (lines.series.cols > 0)
            text += fmt::format(" from {} to {}", shown(lines.series(r, 0)),
                                shown(lines.series(r, lines.series.cols - 1)));
    }
    return text + fmt::format("; {} points each.", lines.series.cols);
}

std::string described(const Scatter& scatter) {
    return fmt::format("{}: {} points in a plane. {}", scatter.name, scatter.points.size(), scatter.note);
}

std::string described(const Table& table) {
    return fmt::format("{}: a table of {}.", table.name, counted(table.rows.size(), "row"));
}

} // namespace

const std::string& name_of(const Chart& chart) {
    return std::visit([](const auto& one) -> const std::string& { return one.name; }, chart);
}

int Scale::level(double value) const {
    if (value == 0 || largest == 0) return 0;
    const double share = std::abs(value) / largest;
    const int step = std::clamp(static_cast<int>(std::ceil(share * levels)), 1, levels);
    return value < 0 ? -step : step;
}

Scale scale_of(const Heat& heat) {
    const Content content = content_of(heat);
    return {std::max(std::abs(content.least), std::abs(content.greatest))};
}

Scale scale_of(const Figure& figure) {
    Scale scale;
    for (const Chart& chart : figure.charts)
        if (const auto* heat = std::get_if<Heat>(&chart); heat != nullptr && !heat->own_scale)
            scale.largest = std::max(scale.largest, scale_of(*heat).largest);
    return scale;
}

Scale scale_for(const Heat& heat, const Scale& shared) {
    return heat.own_scale ? scale_of(heat) : shared;
}

Content content_of(const Heat& heat) {
    Content content;
    for (std::size_t i = 0; i < heat.numbers.values.size(); ++i) {
        const double value = heat.numbers.values[i];
        if (is_blank(heat, i)) {
            ++content.blank;
        } else if (std::isnan(value)) {
            ++content.nan;
        } else if (std::isinf(value)) {
            ++content.infinite;
        } else {
            content.least = content.finite == 0 ? value : std::min(content.least, value);
            content.greatest = content.finite == 0 ? value : std::max(content.greatest, value);
            ++content.finite;
            if (value == 0) ++content.zero;
        }
    }
    return content;
}

std::string shown(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value < 0 ? "-infinity" : "infinity";
    if (value == 0) return "0";
    const double size = std::abs(value);
    const bool whole = size < 1e6 && (value == std::trunc(value) || size >= 1000);
    return whole ? fmt::format("{:.0f}", value) : fmt::format("{:.3g}", value);
}

std::string describe(const Chart& chart) {
    return std::visit([](const auto& one) { return described(one); }, chart);
}

std::string axes_of(const Figure& figure) {
    if (figure.rows.empty()) return {}; // curves and bars have their axes' names beside them
    std::string text;
    if (figure.rows != "rows") text += "Rows: " + figure.rows + ".";
    if (!figure.cols.empty() && figure.cols != "columns")
        text += (text.empty() ? "Columns: " : " Columns: ") + figure.cols + ".";
    return text;
}

std::string oddities(const Figure& figure) {
    std::size_t all = 0, nan = 0, infinite = 0;
    for (const Chart& chart : figure.charts)
        if (const auto* heat = std::get_if<Heat>(&chart)) {
            const Content content = content_of(*heat);
            all += heat->numbers.values.size();
            nan += content.nan;
            infinite += content.infinite;
        }
    if (nan + infinite == 0) return {};
    return fmt::format("Of {} numbers, {} are NaN (crossed cells) and {} infinite (solid cells).", all, nan,
                       infinite);
}

} // namespace picture
