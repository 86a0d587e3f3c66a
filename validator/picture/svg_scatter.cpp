#include "picture/svg_parts.h"

#include "text/width.h"

#include <array>
#include <cmath>
#include <optional>

namespace picture {
namespace {

constexpr double margin = 8; ///< within the frame, for the marks

std::string_view group_of(std::string_view label) {
    const std::size_t colon = label.find(':');
    return colon == std::string_view::npos ? std::string_view() : label.substr(0, colon);
}

/// Groups differ in shape as well as in colour.
std::string mark(std::size_t group, double x, double y) {
    constexpr std::array<std::string_view, max_groups> shapes{"m-4 0a4 4 0 1 0 8 0a4 4 0 1 0-8 0z",
                                                              "m-4-4h8v8h-8z",
                                                              "m0-5l5 9h-10z",
                                                              "m0-5l5 5-5 5-5-5z",
                                                              "m-5-1h10v2h-10z",
                                                              "m-1-5h2v10h-2z"};
    return fmt::format("<path class=\"mark s{}\" d=\"M{:.5g} {:.5g}{}\"/>", group % max_groups, x, y,
                       shapes[group % max_groups]);
}

struct Point {
    double x = 0;
    double y = 0;
};

struct Box {
    double left_end, upper, right_end, lower;

    bool meets(const Box& other) const {
        return left_end < other.right_end && other.left_end < right_end && upper < other.lower &&
               other.upper < lower;
    }
};

Box box_of_mark(const Point& point) {
    constexpr double half = 4;
    return {point.x - half, point.y - half, point.x + half, point.y + half};
}

struct Place {
    std::string_view anchor;
    Point at;
    Box box;
};

/// Beside, above or below the mark.
std::array<Place, 4> places(const Point& mark, std::string_view name) {
    constexpr double character = 6.8, ascent = 9, descent = 3;
    const double width = character * text::columns(name);
    const auto place = [&](std::string_view anchor, double x, double y) {
        const double from = anchor == "start" ? x : anchor == "end" ? x - width : x - width / 2;
        return Place{anchor, {x, y}, {from, y - ascent, from + width, y + descent}};
    };
    return {place("start", mark.x + 7, mark.y + 4), place("end", mark.x - 7, mark.y + 4),
            place("middle", mark.x, mark.y - 7), place("middle", mark.x, mark.y + 15)};
}

/// The first of its places in which a name covers neither a mark nor another name, and stays in the frame.
class Names {
  public:
    explicit Names(const std::vector<Point>& marks) {
        for (const Point& mark : marks)
            taken_.push_back(box_of_mark(mark));
    }

    std::optional<Place> put(const Point& mark, std::string_view name) {
        constexpr Box frame{left, top, left + plot_width, top + plot_height};
        for (const Place& place : places(mark, name)) {
            const Box& box = place.box;
            if (box.left_end < frame.left_end || box.right_end > frame.right_end || box.upper < frame.upper ||
                box.lower > frame.lower ||
                std::ranges::any_of(taken_, [&](const Box& other) { return box.meets(other); }))
                continue;
            taken_.push_back(box);
            return place;
        }
        return std::nullopt;
    }

  private:
    std::vector<Box> taken_;
};

std::vector<Point> marks_of(const Scatter& scatter) {
    if (scatter.points.empty()) return {};
    std::array<double, 2> low{INFINITY, INFINITY}, high{-INFINITY, -INFINITY};
    for (const auto& point : scatter.points)
        for (const std::size_t axis : {0U, 1U}) {
            low[axis] = std::min(low[axis], point[axis]);
            high[axis] = std::max(high[axis], point[axis]);
        }
    const Plot plot{low[0], high[0], low[1], high[1]};
    std::vector<Point> marks;
    for (const auto& point : scatter.points)
        marks.push_back({left + margin + (plot_width - 2 * margin) * (plot.x(point[0]) - left) / plot_width,
                         top + margin + (plot_height - 2 * margin) * (plot.y(point[1]) - top) / plot_height});
    return marks;
}

} // namespace

Drawing drawn(const Scatter& scatter, const Figure&, const Scale&) {
    const std::vector<Point> marks = marks_of(scatter);
    Names names(marks);
    std::vector<std::string_view> groups;
    std::string body = Plot{}.frame();
    bool crowded = false;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        const std::string_view label = i < scatter.labels.size() ? scatter.labels[i] : std::string_view();
        const std::string_view group = group_of(label);
        auto known = std::ranges::find(groups, group);
        if (known == groups.end()) known = groups.insert(groups.end(), group);
        body += mark(static_cast<std::size_t>(known - groups.begin()), marks[i].x, marks[i].y);
        if (label.empty()) continue;
        const std::string_view name = group.empty() ? label : label.substr(group.size() + 1);
        if (const std::optional<Place> place = names.put(marks[i], name))
            body += words(place->at.x, place->at.y, place->anchor, name);
        else
            crowded = true;
    }
    int height = top + plot_height + 8;
    if (groups.size() > 1)
        for (std::size_t g = 0; g < groups.size() && g < 12; ++g) {
            height += 16;
            body += mark(g, left + 6, height - 12) + words(left + 18, height - 8, "start", groups[g]);
        }
    if (crowded) {
        height += 16;
        body += words(left, height - 8, "start", "Names without room are left out.");
    }
    return {height, body};
}

} // namespace picture
