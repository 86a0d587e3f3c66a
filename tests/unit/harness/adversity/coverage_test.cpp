#include "harness/adversity/adverse.h"
#include "harness/adversity/coverage.h"

#include <algorithm>
#include <doctest/doctest.h>

using namespace harness;

namespace {

int half(std::uint64_t number) {
    return static_cast<int>(number % 1000 / 2);
}

Adverse<int(std::uint64_t)> adverse_half(const char* name) {
    return Adverse(name, &half, &half, {}, any_number_64("number"));
}

Coverage::Row row(const std::string& function, Adversity adversity) {
    for (const Coverage::Row& each : Recorder::current().coverage().rows())
        if (each.function == function && each.parameter == "number" && each.adversity == adversity)
            return each;
    return {};
}

} // namespace

TEST_CASE("what is declared is a gap until it is reached or left out") {
    Coverage coverage;
    coverage.declare("f", "x", Adversity::gaps);
    coverage.declare("f", "x", Adversity::far);
    coverage.declare("f", "T", Adversity::empty);
    CHECK(coverage.gaps().size() == 3);
    coverage.reach("f", "x", Adversity::gaps);
    coverage.leave_out("f", "x", Adversity::far, "x is dense");
    REQUIRE(coverage.gaps().size() == 1);
    CHECK(coverage.gaps().front() == Coverage::Row{"f", "T", Adversity::empty, false, ""});
    coverage.declare("f", "x", Adversity::gaps); // once more does not forget
    CHECK(coverage.gaps().size() == 1);
    CHECK(coverage.rows().size() == 3);
}

TEST_CASE("a call reaches the circumstance that it is made in, and no other") {
    Recorder::current().begin_case("a case");
    adverse_half("f").special_cases();
    CHECK(row("f", Adversity::special).reached);
    CHECK_FALSE(row("f", Adversity::repeated).reached);
    CHECK(row("f", Adversity::repeated).function == "f"); // declared all the same
    adverse_half("f").history();
    CHECK(row("f", Adversity::repeated).reached);
    CHECK(Recorder::current().end_case().empty());
}

TEST_CASE("a circumstance that a suite leaves out is not tried, and has its reason") {
    Recorder::current().begin_case("a case");
    adverse_half("g").without(Adversity::repeated, "number", "nothing can be kept").history();
    CHECK_FALSE(row("g", Adversity::repeated).reached);
    CHECK(row("g", Adversity::repeated).left_out == "nothing can be kept");
    CHECK(Recorder::current().end_case().empty());
}
