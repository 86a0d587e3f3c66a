#include "classes.h"

#include <doctest/doctest.h>

using similarity::compare;
using similarity::Comparison;

TEST_CASE("pairs count by how far they are above what the course's programs share") {
    const Comparison result = compare(small_class(), {first_tokens(1, 2, 40), first_tokens(3, 4, 70),
                                                      first_tokens(3, 5, 40), first_tokens(1, 4, 55)});
    CHECK(result.baseline.pairs == 1);
    CHECK(result.baseline.most == doctest::Approx(0.4));
    REQUIRE(result.pairs.size() == 2); // ada and last year's share no more than the course's own do
    CHECK(result.pairs[0].first == 3);
    CHECK(result.pairs[0].second == 4);
    CHECK(result.pairs[0].share == doctest::Approx(0.7));
    CHECK(result.pairs[0].excess == doctest::Approx(0.5));
    CHECK(result.pairs[1].second == 4);
}

TEST_CASE("last year's programs are compared with the class and not with each other") {
    auto programs = small_class();
    programs.push_back(hundred_tokens("older", similarity::Origin::earlier));
    const Comparison result = compare(programs, {first_tokens(3, 5, 60), first_tokens(5, 6, 100)});
    REQUIRE(result.pairs.size() == 1);
    CHECK(result.pairs[0].second == 5);
}

TEST_CASE("what is in the starter does not count") {
    const Comparison result =
        compare(small_class(), {first_tokens(0, 3, 50), first_tokens(0, 4, 50), first_tokens(3, 4, 60)});
    REQUIRE(result.pairs.size() == 1);
    CHECK(result.pairs[0].share == doctest::Approx(0.2)); // 10 of 50
    CHECK(compare(small_class(), {first_tokens(0, 3, 60), first_tokens(3, 4, 60)}).pairs.empty());
}

TEST_CASE("programs with hardly anything of their own are not compared") {
    CHECK(compare(small_class(), {first_tokens(0, 3, 80), first_tokens(3, 4, 100)}).pairs.empty());
}

TEST_CASE("parts that overlap count once") {
    auto again = first_tokens(3, 4, 50);
    again.in_second = {40, 90};
    const Comparison result = compare(small_class(), {first_tokens(4, 3, 50), again});
    REQUIRE(result.pairs.size() == 1);
    CHECK(result.pairs[0].share == doctest::Approx(0.5)); // ada's half is in bob's twice
}

TEST_CASE("two attempts of one student are no pair") {
    auto programs = small_class();
    programs[4].names = {"ada"};
    CHECK(compare(programs, {first_tokens(3, 4, 100)}).pairs.empty());
}

TEST_CASE("a program that is twice as long is not less alike") {
    auto programs = small_class();
    programs[4] =
        similarity::read_program("bob", similarity::Origin::class_,
                                 {{"a.cpp", programs[4].text}, {"b.cpp", programs[4].text + "int more;"}});
    CHECK(compare(programs, {first_tokens(3, 4, 100)}).pairs.at(0).share == doctest::Approx(1));
}
