#include "build/gpu_copy.h"

#include <doctest/doctest.h>

using build::Copies;

namespace {

std::string refusal_of_copies(const std::string& printed) {
    const auto copies = build::read_copies(printed);
    const auto* why = std::get_if<std::string>(&copies);
    return why == nullptr ? "" : *why;
}

} // namespace

TEST_CASE("the time of a copy lies between those of the next sizes, and beyond the largest at its rate") {
    const auto read = build::read_copies("copy 1000 5.0\ncopy 3000 9.0\n");
    const auto* copies = std::get_if<Copies>(&read);
    REQUIRE(copies != nullptr);
    CHECK(copies->us(10) == 5);
    CHECK(copies->us(1000) == 5);
    CHECK(copies->us(2000) == 7);
    CHECK(copies->us(3000) == 9);
    CHECK(copies->us(6000) == doctest::Approx(18));
    CHECK(copies->rate() == doctest::Approx(3000 / 9e-6));
}

TEST_CASE("what is no time of a copy is no answer") {
    CHECK(refusal_of_copies("error cudaErrorMemoryAllocation out of memory\n")
              .find("cudaErrorMemoryAllocation") != std::string::npos);
    CHECK(refusal_of_copies("copy 1000 5\nerror cudaErrorUnknown what\n").find("cudaErrorUnknown") !=
          std::string::npos);
    for (const char* odd : {"", "copy\n", "copy 0 1\n", "copy 1000 0\n", "copy -5 1\n", "copy 1000 nan\n"})
        CHECK(!refusal_of_copies(odd).empty());
}
