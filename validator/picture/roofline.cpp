#include "picture/roofline.h"

#include "picture/svg_parts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace picture {
namespace {

constexpr double least_share = 1.0 / 64; ///< where both axes begin

std::string percent(double share) {
    return fmt::format("{:.0f} %", 100 * share);
}

/// Both axes are logarithmic, and end where a copy is.
struct Axes {
    static double place(double share) {
        return 1 - std::log(std::clamp(share, least_share, 1.0)) / std::log(least_share);
    }
    static double x(double share) { return left + plot_width * place(share); }
    static double y(double share) { return top + plot_height * (1 - place(share)); }
};

} // namespace

std::string described(const Roofline& roofline) {
    std::string text = roofline.name + ":";
    for (const Roofline::Call& call : roofline.calls) {
        text += fmt::format(" {} could be as fast as {} of a copy", call.label, percent(call.allowed));
        if (call.reached > 0) text += fmt::format(", and reaches {}", percent(call.reached));
        text += &call == &roofline.calls.back() ? "." : ";";
    }
    return text;
}

void put(Sheet& sheet, const Roofline& roofline) {
    if (sheet.plain()) return sheet.sentence(described(roofline));
    sheet.sentence(roofline.name);
    const int name_columns = std::min(36, sheet.width() / 2);
    const int columns = std::min(sheet.width() - name_columns - 7, 50);
    for (const Roofline::Call& call : roofline.calls) {
        const auto cells = [&](double share) {
            return static_cast<int>(std::lround(std::clamp(share, 0.0, 1.0) * columns));
        };
        const int roof = std::max(cells(call.allowed), 1), filled = cells(call.reached);
        std::string bar;
        for (int column = 0; column <= columns; ++column)
            bar += column == roof    ? "|"
                   : column < filled ? std::string(sheet.signs().bar)
                                     : std::string(column < roof ? sheet.signs().above[0] : " ");
        sheet.line(sheet.field(call.label, name_columns) + " " + bar +
                   (call.reached > 0 ? percent(call.reached) : percent(call.allowed)));
    }
    sheet.sentence(
        "The whole width is the speed of a copy; | is what the traffic allows where no cache helps.");
}

Drawing drawn(const Roofline& roofline, const Figure&, const Scale&) {
    std::string body = fmt::format("<path class=\"frame\" d=\"M{} {}h{}v{}h-{}z\"/>", left, top, plot_width,
                                   plot_height, plot_width);
    body += fmt::format("<path class=\"line s0\" d=\"M{:.5g} {:.5g}L{:.5g} {:.5g}\"/>", Axes::x(least_share),
                        Axes::y(least_share), Axes::x(1), Axes::y(1));
    for (const double share : {1.0, 0.25, 0.0625})
        body += words(left - 4, Axes::y(share) + 10, "end", percent(share)) +
                words(Axes::x(share), top + plot_height + 14, share == 1 ? "end" : "middle", percent(share));
    int height = top + plot_height + 40;
    body += words(left, height - 8, "start", "up: speed, of a copy; right: useful bytes");
    for (std::size_t i = 0; i < roofline.calls.size(); ++i) {
        const Roofline::Call& call = roofline.calls[i];
        const std::size_t group = (i + 1) % 6;
        const double x = Axes::x(call.allowed), roof = Axes::y(call.allowed);
        const double y = call.reached > 0 ? Axes::y(call.reached) : roof;
        // Down from the roof: what is lost to something else than traffic.
        body += fmt::format("<path class=\"line s{}\" d=\"M{:.5g} {:.5g}V{:.5g}\"/>", group, x, roof, y);
        body += fmt::format("<path class=\"mark s{}\" d=\"M{:.5g} {:.5g}m-5-5h10v10h-10z\"/>", group, x, y);
        height += 16;
        body += fmt::format("<path class=\"mark s{}\" d=\"M{} {}h10v10h-10z\"/>", group, left, height - 18);
        body +=
            words(left + 16, height - 9, "start",
                  call.label + ": " + (call.reached > 0 ? percent(call.reached) + " of " : "not timed, ") +
                      percent(call.allowed));
    }
    return {height, body};
}

} // namespace picture
