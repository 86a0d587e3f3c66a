#include "report/speed.h"

#include "picture/blocks.h"
#include "picture/svg.h"
#include "report/disclosure.h"
#include "report/words.h"

#include <fmt/format.h>

namespace report {
namespace {

using model::MeasuredCall;

constexpr double busy = 0.1;

/// "3,230 GB/s" is for people who buy memory by it: powers of ten.
std::string rate(double bytes_a_second) {
    const double gigabytes = bytes_a_second / 1e9;
    return fmt::format("{:.{}f} GB/s", gigabytes, gigabytes < 10 ? 1 : 0);
}

std::string traffic_words(const MeasuredCall& call) {
    if (call.moved_bytes == 0) return call.function + " moved nothing on the emulator.";
    if (call.moved_bytes <= call.minimum_bytes)
        return call.function + " moves no more than it has to, so it could be as fast as a copy.";
    return fmt::format(
        "{} moves {:.2f} times the bytes that it has to, so it could be as fast as {:.0f} % of a copy.",
        call.function, 1 / call.allowed_share(), 100 * call.allowed_share());
}

std::string time_words(const MeasuredCall& call) {
    const model::CallTime& time = *call.time;
    return fmt::format(
        "{:.4g} µs a call, +- {:.1f} % ({} calls); {} of the {} it has to move: {:.0f} % of a copy.", time.us,
        time.us > 0 ? 100 * time.spread_us / time.us : 0, time.calls, rate(time.useful_rate()),
        bytes(time.bytes), 100 * time.share_of_copy());
}

picture::Figure roofline(const model::Measurement& measurement) {
    picture::Roofline chart{"Speed, as a share of a copy within the device", {}};
    for (const MeasuredCall& call : measurement.calls)
        if (call.trouble.empty() && call.moved_bytes > 0)
            chart.calls.push_back(
                {call.title, call.allowed_share(), call.time ? call.time->share_of_copy() : 0});
    picture::Figure figure;
    if (!chart.calls.empty()) figure.charts.emplace_back(std::move(chart));
    return figure;
}

std::string copy_words(const model::Measurement& measurement) {
    if (measurement.copy_rate <= 0)
        return "Nothing was timed: that takes a GPU. What the traffic allows is counted without one.";
    std::string text =
        "A copy within the device moves " + rate(measurement.copy_rate) + ", read and written.";
    if (measurement.slowdown > busy)
        text += fmt::format(
            " After the calls it took {:.0f} % longer than before: something else used the GPU, so "
            "measure again.",
            100 * measurement.slowdown);
    return text;
}

} // namespace

void speed(Page& page, const model::Measurement& measurement, int width) {
    if (measurement.calls.empty()) return;
    page.blank();
    page.rule("Speed");
    for (const MeasuredCall& call : measurement.calls) {
        page.blank();
        page.sentence(call.title, Tone::strong, 2, 2);
        if (!call.trouble.empty()) {
            page.paragraph("not measured: " + call.trouble, Tone::bad, 4, 2);
            continue;
        }
        page.sentence(traffic_words(call), Tone::plain, 4, 2);
        if (call.time) page.sentence(time_words(call), Tone::plain, 4, 2);
    }
    const picture::Figure figure = roofline(measurement);
    if (!figure.charts.empty()) {
        page.blank();
        page.ready(
            picture::blocks(figure, {.width = width, .unicode = page.unicode(), .plain = page.plain()}, 2));
    }
    page.sentence(copy_words(measurement), Tone::plain, 2);
}

std::string render_speed_svg(const model::Judgement& judgement) {
    const model::Judgement shown = disclosed(judgement);
    picture::Picture picture{.title = shown.problem_title, .figures = {}, .remarks = {}};
    const model::Measurement measurement = shown.measured.value_or(model::Measurement{});
    picture::Figure figure = roofline(measurement);
    figure.title = shown.gpu ? shown.gpu->gpu.name : "not timed: counted on the emulator";
    if (figure.charts.empty()) picture.remarks.push_back("Nothing was measured: " + shown.summary);
    picture.figures.push_back(std::move(figure));
    return picture::render_svg(picture);
}

} // namespace report
