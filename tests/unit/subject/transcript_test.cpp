#include "subject/transcript.h"

#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>

using namespace subject;

namespace {

template <class T>
Transcript one_output(ElementKind kind, const std::vector<T>& values) {
    Transcript transcript;
    Observation observation;
    observation.outputs.push_back(transcript.output(kind, reinterpret_cast<const std::byte*>(values.data()),
                                                    values.size() * sizeof(T)));
    transcript.add(observation);
    return transcript;
}

bool same_floats(float a, float b) {
    return same_behaviour(one_output<float>(ElementKind::float32, {1, a}),
                          one_output<float>(ElementKind::float32, {1, b}));
}

Transcript one(const Observation& observation) {
    Transcript transcript;
    transcript.add(observation);
    return transcript;
}

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

} // namespace

TEST_CASE("floats match up to the rounding of another order of the same operations") {
    CHECK(same_floats(1.0F, 1.0F));
    CHECK(same_floats(1.0F, 1.0F + 8 * 0x1p-23F));
    CHECK(same_floats(-1e30F, -1e30F * (1 + 8 * 0x1p-23F)));
    CHECK_FALSE(same_floats(1.0F, 1.0F + 200 * 0x1p-23F));
    CHECK_FALSE(same_floats(1.0F, -1.0F));
    CHECK_FALSE(same_floats(0.0F, 1e-30F));
    CHECK(same_floats(0.0F, -0.0F));
}

TEST_CASE("doubles are held to the rounding of doubles") {
    const auto same = [](double a, double b) {
        return same_behaviour(one_output<double>(ElementKind::float64, {a}),
                              one_output<double>(ElementKind::float64, {b}));
    };
    CHECK(same(1.0, 1.0 + 8 * 0x1p-52));
    CHECK_FALSE(same(1.0, 1.0 + 1e-9));
}

TEST_CASE("infinities and NaN match only themselves") {
    CHECK(same_floats(infinity, infinity));
    CHECK(same_floats(not_a_number, not_a_number));
    CHECK_FALSE(same_floats(infinity, -infinity));
    CHECK_FALSE(same_floats(infinity, 1.0F));
    CHECK_FALSE(same_floats(1.0F, infinity));
    CHECK_FALSE(same_floats(not_a_number, 1.0F));
    CHECK_FALSE(same_floats(1.0F, not_a_number));
    CHECK_FALSE(same_floats(not_a_number, infinity));
}

TEST_CASE("integers and other bytes match bit for bit") {
    CHECK(same_behaviour(one_output<int>(ElementKind::bytes, {1, 2}),
                         one_output<int>(ElementKind::bytes, {1, 2})));
    CHECK_FALSE(same_behaviour(one_output<int>(ElementKind::bytes, {1, 2}),
                               one_output<int>(ElementKind::bytes, {1, 3})));
}

TEST_CASE("kind and length of an output belong to it") {
    const std::vector<float> values{0, 0};
    CHECK_FALSE(
        same_behaviour(one_output(ElementKind::float32, values), one_output(ElementKind::float64, values)));
    CHECK_FALSE(same_behaviour(one_output<float>(ElementKind::float32, {0}),
                               one_output(ElementKind::float32, values)));
}

TEST_CASE("what a call did beside its outputs belongs to its behaviour") {
    Observation base;
    base.message = {std::byte{1}};
    CHECK(same_behaviour(one(base), one(base)));

    Observation other = base;
    other.function = 1;
    CHECK_FALSE(same_behaviour(one(base), one(other)));
    other = base;
    other.damage = 7;
    CHECK_FALSE(same_behaviour(one(base), one(other)));
    other = base;
    other.reply = ReplyKind::threw;
    CHECK_FALSE(same_behaviour(one(base), one(other)));
    other = base;
    other.message = {std::byte{2}};
    CHECK_FALSE(same_behaviour(one(base), one(other)));
    other = base;
    other.death = Death{};
    CHECK_FALSE(same_behaviour(one(base), one(other)));
}

TEST_CASE("deaths match by fate and code, whatever was printed") {
    Observation crash;
    crash.death = Death{.fate = Fate::signalled, .code = 11, .output = "one"};
    Observation other = crash;
    other.death->output = "two";
    CHECK(same_behaviour(one(crash), one(other)));
    other.death->code = 6;
    CHECK_FALSE(same_behaviour(one(crash), one(other)));
    other.death = Death{.fate = Fate::exited, .code = 11};
    CHECK_FALSE(same_behaviour(one(crash), one(other)));
}

TEST_CASE("transcripts of different length differ, and so_far looks at the last call alone") {
    Transcript longer = one({});
    longer.add({});
    CHECK_FALSE(same_behaviour(one({}), longer));
    CHECK(same_so_far(one({}), longer));
    CHECK_FALSE(same_so_far(longer, one({})));

    Observation different;
    different.function = 3;
    Transcript diverged = one({});
    diverged.add(different);
    CHECK_FALSE(same_so_far(diverged, longer));
}

TEST_CASE("outputs beyond the transcript's room are known by their digest") {
    const std::vector<float> large(std::size_t{3} << 20, 1.0F);
    std::vector<float> nearly = large;
    nearly.back() = 1.0F + 0x1p-23F;
    CHECK(one_output(ElementKind::float32, large).observations()[0].outputs[0].data.empty());
    CHECK(same_behaviour(one_output(ElementKind::float32, large), one_output(ElementKind::float32, large)));
    CHECK_FALSE(
        same_behaviour(one_output(ElementKind::float32, large), one_output(ElementKind::float32, nearly)));
}
