#include "subject/call_note.h"

#include "common/status.h"

#include <doctest/doctest.h>
#include <limits>
#include <string_view>
#include <vector>

using namespace subject;
using contract::Code;
using contract::Matrix;

namespace {

struct Options {
    float p = 0.5F;
    bool train = true;
    Code code = Code::ok;
    struct {
        std::uint64_t seed = 7;
    } inner;
};

template <class... Arguments>
std::string printed(const Arguments&... arguments) {
    CallNote note;
    note.take("f", arguments...);
    return note.print();
}

} // namespace

TEST_CASE("numbers, flags, structs and enumerators are told by what they are") {
    CHECK(printed() == "f()");
    CHECK(printed(3, 2.5, true, ~std::uint64_t{0}) == "f(3, 2.5, true, 18446744073709551615)");
    CHECK(printed(std::numeric_limits<double>::quiet_NaN(), -0.0F) == "f(nan, -0)");
    CHECK(printed(Options{}) == "f({0.5, true, ok, {7}})");
    CHECK(printed(Code::shape_mismatch) == "f(shape_mismatch)");
}

TEST_CASE("a value that an enumeration does not have is told as such") {
    CHECK(enumerator(static_cast<Code>(15)) == "15 (no value of its enumeration)");
    CHECK(enumerator(static_cast<Code>(77)) == "77 (no value of its enumeration)");
    CHECK(enumerator(static_cast<Code>(-1)) == "-1 (no value of its enumeration)");
}

TEST_CASE("views show their shape, a gap between rows, and what small inputs hold") {
    std::vector<float> cells(30, 1);
    cells[1] = -2;
    const Matrix<const float> small(cells.data(), 2, 2, 2);
    CHECK(printed(small) == "f(2 x 2 {1, -2, 1, 1})");
    CHECK(printed(Matrix<const float>(cells.data(), 3, 4, 6)) == "f(3 x 4 with rows 6 apart)");
    CHECK(printed(Matrix<float>(cells.data(), 2, 2, 2)) == "f(2 x 2)"); // what an output held says nothing
    CHECK(printed(std::span<const float>(cells.data(), 2)) == "f({1, -2})");
    CHECK(printed(std::span<const float>(cells)) == "f(30 elements)");
    CHECK(printed(std::span<const float>()) == "f(0 elements)");
    CHECK(printed(std::string_view("wte"), std::string_view()) == "f(\"wte\", \"\")");
    CHECK(printed(std::string_view("a name too long to keep, as no parameter has")) == "f(44 elements)");
}

TEST_CASE("a note outlives the memory that it tells of, and is empty before the first call") {
    CallNote note;
    CHECK(note.print().empty());
    {
        const std::vector<std::int64_t> ids{4, 2};
        note.take("f", std::span<const std::int64_t>(ids));
    }
    CHECK(note.print() == "f({4, 2})");
    note.clear();
    CHECK(note.print().empty());
}
