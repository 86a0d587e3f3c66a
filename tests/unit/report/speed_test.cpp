#include "report/speed.h"

#include <doctest/doctest.h>

#include <string>

using namespace model;

namespace {

Measurement one_call(std::optional<CallTime> time, double copy_rate = 0, double slowdown = 0) {
    MeasuredCall call{
        .title = "lookup, 65,536 ids", .function = "lookup", .trouble = "", .kernels = {"gather"}};
    call.moved_bytes = 200;
    call.minimum_bytes = 100;
    call.time = time;
    return {{call}, copy_rate, slowdown};
}

std::string shown(const Measurement& measurement, bool plain = false) {
    report::Page page({.unicode = true, .plain = plain});
    report::speed(page, measurement, 80);
    return std::move(page).text();
}

bool has(const std::string& text, const std::string& part) {
    std::string line;
    for (const char each : text)
        if (each != '\n' && (each != ' ' || line.empty() || line.back() != ' '))
            line += each;
        else if (each == '\n' && !line.empty() && line.back() != ' ')
            line += ' ';
    return line.find(part) != std::string::npos;
}

constexpr CallTime timed{.calls = 15, .bytes = 4'000'000, .us = 10, .spread_us = 0.5, .copy_us = 4};

} // namespace

TEST_CASE("without a GPU it says what the traffic allows, and that nothing was timed") {
    const std::string text = shown(one_call(std::nullopt));
    CHECK(has(text,
              "lookup moves 2.00 times the bytes that it has to, so it could be as fast as 50 % of a copy."));
    CHECK(has(text, "Nothing was timed: that takes a GPU."));
    CHECK(!has(text, "GB/s"));
}

TEST_CASE("with one it says time, spread, rate and share of a copy") {
    const std::string text = shown(one_call(timed, 1e12));
    CHECK_MESSAGE(
        has(text,
            "10 µs a call, +- 5.0 % (15 calls); 400 GB/s of the 3906.2 KiB it has to move: 40 % of a copy."),
        text);
    CHECK(has(text, "A copy within the device moves 1000 GB/s"));
    CHECK(!has(text, "measure again"));
}

TEST_CASE("a device that became slower meanwhile was used by somebody else") {
    CHECK(has(shown(one_call(timed, 1e12, 0.25)), "25 % longer than before: something else used the GPU"));
    CHECK(!has(shown(one_call(timed, 1e12, 0.05)), "something else"));
}

TEST_CASE("a wrong answer has no speed") {
    Measurement wrong = one_call(std::nullopt);
    wrong.calls[0].trouble = "out[0, 0]: expected 1, got 2";
    const std::string text = shown(wrong);
    CHECK(has(text, "not measured: out[0, 0]: expected 1, got 2"));
    CHECK(!has(text, "could be as fast"));
}

TEST_CASE("a screen reader hears the bars in words") {
    const std::string text = shown(one_call(timed, 1e12), true);
    CHECK(has(text, "lookup, 65,536 ids could be as fast as 50 % of a copy, and reaches 40 %."));
    CHECK(text.find('|') == std::string::npos);
}

TEST_CASE("the picture has a roof, a mark for each call, and its numbers in words") {
    Judgement judgement;
    judgement.problem_title = "Rows by the warp";
    judgement.measured = one_call(timed, 1e12);
    const std::string svg = report::render_speed_svg(judgement);
    CHECK(svg.starts_with("<svg "));
    CHECK(svg.find("lookup, 65,536 ids: 40 % of 50 %") != std::string::npos);
    CHECK(svg.find("line s0") != std::string::npos);
    CHECK(svg.find(" nan") == std::string::npos);
    judgement.measured.reset();
    CHECK(report::render_speed_svg(judgement).find("Nothing was measured") != std::string::npos);
}
