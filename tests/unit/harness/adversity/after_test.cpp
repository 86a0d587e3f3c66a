// Programs in which one function remembers what is not another one's to use.
#include "harness/adversity/adverse.h"
#include "harness/recorder.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <vector>

using namespace harness;
using contract::Matrix;

namespace {

/// Shapes may not fit, and there is no refusing that.
void scale(Matrix<const float> x, float factor, Matrix<float> out) {
    for (std::size_t r = 0; r < std::min(x.rows, out.rows); ++r)
        for (std::size_t c = 0; c < std::min(x.cols, out.cols); ++c)
            out(r, c) = x(r, c) * factor;
}

using Scale = void (*)(Matrix<const float>, float, Matrix<float>);

auto adverse(const char* name, Scale subject) {
    const auto factor = value<float>(
        "factor",
        [](const Extents&, Random&) {
            return Named<float>{"2", 2};
        },
        [](const Extents&) {
            return std::vector<Named<float>>{{"3", 3}, {"-1", -1}};
        });
    return Adverse(name, subject, &scale, {{.name = "R", .ordinary = 4}, {.name = "C", .ordinary = 3}},
                   matrix_in("x", "R", "C"), factor, matrix_out("out", "R", "C"));
}

/// What is found of `second` by itself, and after `first`.
std::vector<Finding> found(Scale first, Scale second, bool after) {
    Recorder& recorder = Recorder::current();
    recorder.begin_case("a case");
    recorder.take_what_failures_share();
    if (after)
        adverse("second", second).after(adverse("first", first));
    else
        adverse("second", second).history();
    return recorder.end_case();
}

std::vector<float> kept;
float kept_factor;

} // namespace

TEST_CASE("an option that another function got is not taken for this one's") {
    const Scale first = [](Matrix<const float> x, float factor, Matrix<float> out) {
        kept_factor = factor;
        scale(x, factor, out);
    };
    const Scale second = [](Matrix<const float> x, float factor, Matrix<float> out) {
        scale(x, kept_factor != 0 ? kept_factor : factor, out);
    };
    kept_factor = 0;
    CHECK(found(first, second, false).empty());
    const std::vector<Finding> findings = found(first, second, true);
    REQUIRE(!findings.empty());
    CHECK(findings.front().context.find("after `first` with another `factor`") != std::string::npos);
    CHECK(Recorder::current().take_what_failures_share()["second"].find("with another `factor`") !=
          std::string::npos);
}

TEST_CASE("what another function read is not taken for what this one reads") {
    const Scale first = [](Matrix<const float> x, float factor, Matrix<float> out) {
        kept.clear();
        for (std::size_t r = 0; r < x.rows; ++r)
            kept.insert(kept.end(), x.row(r), x.row(r) + x.cols);
        scale(x, factor, out);
    };
    const Scale second = [](Matrix<const float> x, float factor, Matrix<float> out) {
        const bool is_known = kept.size() == x.rows * x.cols && !kept.empty();
        scale(is_known ? Matrix<const float>(kept.data(), x.rows, x.cols, x.cols) : x, factor, out);
    };
    kept.clear();
    CHECK(found(first, second, false).empty());
    const std::vector<Finding> findings = found(first, second, true);
    REQUIRE(!findings.empty());
    CHECK(findings.front().context.find("after `first` of another `x`") != std::string::npos);
}

TEST_CASE("functions that remember nothing pass after each other") {
    CHECK(found(&scale, &scale, true).empty());
}
