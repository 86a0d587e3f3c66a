#include "picture/page.h"

#include "picture/svg.h"
#include "text/markup.h"

#include <cmath>
#include <fmt/format.h>

namespace picture {
namespace {

/// Matrices beyond it are for looking at alone.
constexpr std::size_t max_table_rows = 16;
constexpr std::size_t max_table_cols = 16;

constexpr std::string_view layout =
    "*{box-sizing:border-box}"
    "body{margin:0 auto;padding:16px;max-width:1120px;background:var(--paper);color:var(--ink);"
    "font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}"
    "h1{font-size:1.5rem;line-height:1.2;margin:.3em 0}h2{font-size:1.2rem;margin:1.6em 0 "
    ".2em}h3{font-size:1rem;margin:1.4em 0 .2em}"
    "p{margin:.4em 0;max-width:70ch}.charts{display:flex;flex-wrap:wrap;gap:16px 24px;align-items:flex-start}"
    "figure{margin:8px 0;width:320px;max-width:100%}figure svg{display:block;width:100%;height:auto}"
    "figcaption{font-weight:600}.soft{color:var(--soft);font-size:.875rem}"
    "table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums}"
    "th,td{border:1px solid var(--line);padding:2px 6px;text-align:right}"
    "th:first-child,.names th,.names td{text-align:left}.names td.number{text-align:right}"
    ".charts th,.charts td{overflow-wrap:normal}"
    ".scroll{overflow-x:auto;max-width:100%}summary{cursor:pointer}"
    "summary:focus-visible,.scroll:focus-visible{outline:3px solid var(--s0);outline-offset:2px}"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;border-left:3px solid var(--line);padding-left:10px;"
    "margin:.5em 0;font-size:.875rem}.good{color:var(--good)}.bad{color:var(--bad)}"
    "@media print{details,section{break-inside:avoid}}";

/// Wide tables scroll by themselves, with the keyboard too.
std::string scrolling(std::string_view name, const std::string& table) {
    return fmt::format("<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">{}</div>",
                       text::markup(name), table);
}

std::string numbers_of(const Heat& heat) {
    const Numbers& numbers = heat.numbers;
    std::string table = "<table><tr><th scope=\"col\"></th>";
    for (std::size_t c = 0; c < numbers.cols; ++c)
        table += fmt::format("<th scope=\"col\">{}</th>", heat.first_col + c);
    table += "</tr>";
    for (std::size_t r = 0; r < numbers.rows; ++r) {
        table += fmt::format("<tr><th scope=\"row\">{}</th>", r < heat.rows.size()
                                                                  ? text::markup(heat.rows[r])
                                                                  : std::to_string(heat.first_row + r));
        for (std::size_t c = 0; c < numbers.cols; ++c)
            table += fmt::format("<td>{}</td>", !heat.blank.empty() && heat.blank[r * numbers.cols + c]
                                                    ? "never written"
                                                    : shown(numbers(r, c)));
        table += "</tr>";
    }
    return "<details><summary>The numbers</summary>" +
           scrolling("The numbers of " + heat.name, table + "</table>") + "</details>";
}

std::string cells_of(const Table& table) {
    std::string text = "<table class=\"names\"><tr>";
    for (const std::string& cell : table.header)
        text += fmt::format("<th scope=\"col\">{}</th>", text::markup(cell));
    text += "</tr>";
    for (const auto& row : table.rows) {
        text += "<tr>";
        for (const std::string& cell : row)
            text += fmt::format("<td>{}</td>", text::markup(cell));
        text += "</tr>";
    }
    return scrolling(table.name, text + "</table>");
}

std::string figure_of(const Chart& chart, const Figure& figure, const Scale& scale) {
    const std::string name = text::markup(name_of(chart));
    if (const auto* table = std::get_if<Table>(&chart))
        return fmt::format("<figure><figcaption>{}</figcaption>{}</figure>", name, cells_of(*table));
    const Drawing drawing = draw(chart, figure, scale);
    const std::string description = text::markup(describe(chart));
    std::string more = fmt::format("<p class=\"soft\">{}</p>", description);
    if (const auto* heat = std::get_if<Heat>(&chart);
        heat != nullptr && heat->numbers.rows <= max_table_rows && heat->numbers.cols <= max_table_cols)
        more += numbers_of(*heat);
    return fmt::format("<figure><figcaption>{}</figcaption><svg viewBox=\"0 0 {} {}\" role=\"img\" "
                       "aria-label=\"{}\">{}</svg>{}</figure>",
                       name, chart_width, drawing.height, description, drawing.body, more);
}

} // namespace

std::string section(const Figure& figure) {
    std::string body = "<section>";
    if (!figure.title.empty()) body += fmt::format("<h2>{}</h2>", text::markup(figure.title));
    for (const std::string& sentence : figure.says)
        body += fmt::format("<p>{}</p>", text::markup(sentence));
    if (const std::string odd = oddities(figure); !odd.empty()) body += "<p>" + text::markup(odd) + "</p>";
    if (const std::string axes = axes_of(figure); !axes.empty())
        body += fmt::format("<p class=\"soft\">{}</p>", text::markup(axes));
    const Scale scale = scale_of(figure);
    body += "<div class=\"charts\">";
    for (const Chart& chart : figure.charts)
        body += figure_of(chart, figure, scale);
    return body + "</div></section>\n";
}

std::string page(std::string_view title, std::string_view body) {
    return fmt::format("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">"
                       "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
                       "<meta name=\"color-scheme\" content=\"light dark\"><title>{0}</title>\n"
                       "<style>{1}\n{2}</style></head>\n<body><main><h1>{0}</h1>\n{3}</main></body></html>\n",
                       text::markup(title), colours(), layout, body);
}

std::string render_html(const Picture& picture) {
    std::string body;
    for (const std::string& remark : picture.remarks)
        body += fmt::format("<p class=\"bad\">{}</p>\n", text::markup(remark));
    for (const Figure& figure : picture.figures)
        body += section(figure);
    return page(picture.title, body);
}

} // namespace picture
