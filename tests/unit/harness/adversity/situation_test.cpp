// Which sizes the calls of a function have.
#include "harness/adversity/situation.h"

#include <doctest/doctest.h>
#include <vector>

using namespace harness;

TEST_CASE("an extent is never longer than the contract allows") {
    const Situations situations({{.name = "T", .limit = 131'073}, {.name = "C"}, {.name = "B", .largest = 9}},
                                1);
    std::vector<std::size_t> lengths;
    for (const Situation& each : situations.long_ones({70'001, 131'075}, 1)) {
        lengths.push_back(each.extents["T"]);
        lengths.push_back(each.extents["C"]);
        CHECK(each.extents["B"] == 1);
    }
    CHECK(lengths == std::vector<std::size_t>{70'001, 1, 131'073, 1, 1, 70'001, 1, 131'075});
}
