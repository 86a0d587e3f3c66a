#include "report/traffic.h"

#include "report/disclosure.h"
#include "report/page.h"
#include "report/speed.h"
#include "report/words.h"

#include <algorithm>
#include <fmt/format.h>

namespace report {
namespace {

using model::KernelTraffic;
using model::LineTraffic;

std::string share(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? "-"
                      : fmt::format("{:.0f} %", 100 * static_cast<double>(part) / static_cast<double>(whole));
}

std::string line_words(const LineTraffic& line) {
    const std::string where = place(line.where.file, line.where.line, 0);
    const std::string start =
        fmt::format("{}{}{} of {} memory: {}", where, where.empty() ? "" : " ", name(line.kind),
                    line.shared ? "shared" : "global", count(line.requests, "warp request"));
    if (line.shared) return fmt::format("{}, {}", start, count(line.bank_conflicts, "bank conflict"));
    const double each =
        line.requests == 0 ? 0 : static_cast<double>(line.sectors) / static_cast<double>(line.requests);
    return fmt::format("{}, {:.3g} sectors each, {} of them asked for", start, each,
                       share(line.useful_bytes, line.moved_bytes()));
}

void kernel(Page& page, const KernelTraffic& kernel) {
    page.blank();
    page.sentence(fmt::format("{}, launched {}", kernel.kernel, count(kernel.launches, "time")), Tone::strong,
                  2, 2);
    const double times = kernel.minimum_bytes == 0 ? 0
                                                   : static_cast<double>(kernel.bytes_moved) /
                                                         static_cast<double>(kernel.minimum_bytes);
    page.sentence(fmt::format("moved {}, {:.2f} times the {} that it had to; {:.0f} % asked for; {}",
                              bytes(kernel.bytes_moved), times, bytes(kernel.minimum_bytes),
                              100 * kernel.coalescing_efficiency(),
                              count(kernel.bank_conflicts, "bank conflict")),
                  Tone::plain, 4, 2);
    for (const LineTraffic& line : kernel.lines)
        page.sentence(line_words(line), Tone::plain, 4, 2);
}

} // namespace

std::string render_traffic(const model::Judgement& judgement, const ConsoleStyle& style) {
    const model::Judgement shown = disclosed(judgement);
    const int width = std::clamp(style.width, 40, 100);
    Page page({.colour = style.colour, .width = width, .unicode = style.unicode, .plain = style.plain});
    page.sentence(shown.summary, shown.verdict == model::Verdict::accepted ? Tone::good : Tone::bad);
    if (shown.traffic.empty()) {
        page.sentence("No kernel ran, so nothing was counted.");
    } else {
        page.sentence(
            "Counted on the emulator, access by access: the same on every machine. A sector is 32 bytes.",
            Tone::plain);
        std::string test;
        for (const KernelTraffic& one : shown.traffic) {
            if (one.test != test) {
                page.blank();
                page.rule(one.test);
                test = one.test;
            }
            kernel(page, one);
        }
    }
    if (shown.measured) speed(page, *shown.measured, width);
    page.next_step(shown.next);
    return std::move(page).text();
}

} // namespace report
