#include "subject/transcript.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <doctest/doctest.h>
#include <limits>

using namespace subject;

namespace {

bool alike(const Transcript& a, const Transcript& b) {
    return same_behaviour(a, b, Likeness::rounding);
}

bool alike_so_far(const Transcript& a, const Transcript& b) {
    return same_so_far(a, b, Likeness::rounding);
}

template <class T>
Transcript one_output(ElementKind kind, const std::vector<T>& values) {
    Transcript transcript;
    Observation observation;
    observation.outputs.push_back(transcript.output(kind, reinterpret_cast<const std::byte*>(values.data()),
                                                    values.size() * sizeof(T)));
    transcript.add(observation);
    return transcript;
}

bool same_values(float a, float b) {
    return same_behaviour(one_output<float>(ElementKind::float32, {1, a}),
                          one_output<float>(ElementKind::float32, {1, b}), Likeness::values);
}

bool same_floats(float a, float b) {
    return alike(one_output<float>(ElementKind::float32, {1, a}),
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
        return alike(one_output<double>(ElementKind::float64, {a}),
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

TEST_CASE("NaN that arithmetic made match whatever their payload, and what was never written does not") {
    const auto of = [](std::uint32_t bits) { return std::bit_cast<float>(bits); };
    CHECK(same_floats(of(0x7fc12345), of(0xffc54321)));
    CHECK_FALSE(same_floats(of(0x7fc12345), of(0x7f9ead00)));
    CHECK_FALSE(same_floats(of(0x7f812345), of(0x7f9ead00)));
    const auto same = [](std::uint64_t a, std::uint64_t b) {
        return alike(one_output<double>(ElementKind::float64, {std::bit_cast<double>(a)}),
                     one_output<double>(ElementKind::float64, {std::bit_cast<double>(b)}));
    };
    CHECK(same(0x7ff8000000000001, 0xfff8000000000002));
    CHECK_FALSE(same(0x7ff8000000000001, 0x7ff5ead00dead00d));
}

TEST_CASE("values are compared in bits, but for the payload of NaN and the sign of zero") {
    CHECK(same_values(0.0F, -0.0F));
    CHECK(same_values(std::bit_cast<float>(0x7fc12345), std::bit_cast<float>(0xffc54321)));
    CHECK(same_values(infinity, infinity));
    CHECK_FALSE(same_values(1.0F, 1.0F + 0x1p-23F));
    CHECK_FALSE(same_values(infinity, not_a_number));
    CHECK_FALSE(same_values(0.0F, not_a_number));
}

TEST_CASE("integers and other bytes match bit for bit") {
    CHECK(alike(one_output<int>(ElementKind::bytes, {1, 2}), one_output<int>(ElementKind::bytes, {1, 2})));
    CHECK_FALSE(
        alike(one_output<int>(ElementKind::bytes, {1, 2}), one_output<int>(ElementKind::bytes, {1, 3})));
}

TEST_CASE("kind and length of an output belong to it") {
    const std::vector<float> values{0, 0};
    CHECK_FALSE(alike(one_output(ElementKind::float32, values), one_output(ElementKind::float64, values)));
    CHECK_FALSE(
        alike(one_output<float>(ElementKind::float32, {0}), one_output(ElementKind::float32, values)));
}

TEST_CASE("what a call did beside its outputs belongs to its behaviour") {
    Observation base;
    base.message = {std::byte{1}};
    CHECK(alike(one(base), one(base)));

    Observation other = base;
    other.function = 1;
    CHECK_FALSE(alike(one(base), one(other)));
    other = base;
    other.damage = 7;
    CHECK_FALSE(alike(one(base), one(other)));
    other = base;
    other.reply = ReplyKind::threw;
    CHECK_FALSE(alike(one(base), one(other)));
    other = base;
    other.message = {std::byte{2}};
    CHECK_FALSE(alike(one(base), one(other)));
    other = base;
    other.death = Death{};
    CHECK_FALSE(alike(one(base), one(other)));
}

TEST_CASE("deaths match by fate and code, whatever was printed") {
    Observation crash;
    crash.death = Death{.fate = Fate::signalled, .code = 11, .output = "one"};
    Observation other = crash;
    other.death->output = "two";
    CHECK(alike(one(crash), one(other)));
    other.death->code = 6;
    CHECK_FALSE(alike(one(crash), one(other)));
    other.death = Death{.fate = Fate::exited, .code = 11};
    CHECK_FALSE(alike(one(crash), one(other)));
}

TEST_CASE("transcripts of different length differ, and so_far looks at the last call alone") {
    Transcript longer = one({});
    longer.add({});
    CHECK_FALSE(alike(one({}), longer));
    CHECK(alike_so_far(one({}), longer));
    CHECK_FALSE(alike_so_far(longer, one({})));

    Observation different;
    different.function = 3;
    Transcript diverged = one({});
    diverged.add(different);
    CHECK_FALSE(alike_so_far(diverged, longer));
}

TEST_CASE("outputs beyond the transcript's room are known by their digest") {
    const std::vector<float> large(std::size_t{3} << 20, 1.0F);
    std::vector<float> nearly = large;
    nearly.back() = 1.0F + 0x1p-23F;
    CHECK_FALSE(one_output(ElementKind::float32, large).observations()[0].outputs[0].kept_at);
    CHECK(alike(one_output(ElementKind::float32, large), one_output(ElementKind::float32, large)));
    CHECK_FALSE(alike(one_output(ElementKind::float32, large), one_output(ElementKind::float32, nearly)));
}

TEST_CASE("what is taken arrives once, in all its bytes, and is what the transcript has") {
    // Sizes around the pieces in which it goes.
    for (const std::size_t size :
         std::initializer_list<std::size_t>{0, 1, 127, 128, 8191, 8192, 8193, 100'003}) {
        CAPTURE(size);
        std::vector<std::byte> from(size + 1);
        for (std::size_t i = 0; i < from.size(); ++i)
            from[i] = static_cast<std::byte>(i * 131 >> 3);
        std::vector<std::byte> to(size + 1, std::byte{0xee});
        Transcript transcript;
        const Observation::Output taken = transcript.take(ElementKind::bytes, to.data(), from.data(), size);
        CHECK(std::equal(to.begin(), to.end() - 1, from.begin()));
        CHECK(to.back() == std::byte{0xee});
        CHECK(std::ranges::equal(transcript.kept(taken), std::span(from).first(size)));
        CHECK(taken.digest == transcript.output(ElementKind::bytes, from.data(), size).digest);
    }
}

TEST_CASE("each output keeps its own bytes, in a copy of the transcript and after the next case began") {
    const auto keep = [](Transcript& transcript, const std::vector<float>& values) {
        Observation observation;
        observation.outputs.push_back(transcript.output(ElementKind::float32,
                                                        reinterpret_cast<const std::byte*>(values.data()),
                                                        values.size() * sizeof(float)));
        transcript.add(observation);
    };
    Transcript transcript;
    keep(transcript, {1, 2});
    keep(transcript, {3});
    const Transcript copy = transcript;
    transcript.clear();
    keep(transcript, {1, 2});
    CHECK(alike_so_far(transcript, copy));
    keep(transcript, {3.0F + 8 * 0x1p-23F}); // known to be close from what is kept alone
    CHECK(alike(transcript, copy));
    transcript.clear();
    keep(transcript, {1, 2});
    keep(transcript, {3.0F + 200 * 0x1p-22F});
    CHECK_FALSE(alike(transcript, copy));
}

TEST_CASE("a case has as much room for what it keeps as the one before") {
    const std::vector<float> values(700'000, 1.0F);
    const auto* data = reinterpret_cast<const std::byte*>(values.data());
    const std::size_t bytes = values.size() * sizeof(float);
    Transcript transcript;
    for (int round = 0; round < 2; ++round) {
        CHECK(transcript.output(ElementKind::float32, data, bytes).kept_at);
        CHECK_FALSE(transcript.output(ElementKind::float32, data, bytes).kept_at); // two do not fit
        CHECK(transcript.output(ElementKind::float32, data, 1000).kept_at);
        transcript.clear();
    }
}

TEST_CASE("where bits count, a unit in the last place is a difference") {
    const auto of = [](float value) { return one_output<float>(ElementKind::float32, {1, value}); };
    const Transcript one = of(3);
    const Transcript next = of(std::nextafter(3.0F, 4.0F));
    CHECK(same_behaviour(one, next, Likeness::rounding));
    CHECK(same_so_far(one, next, Likeness::rounding));
    CHECK_FALSE(same_behaviour(one, next, Likeness::bits));
    CHECK_FALSE(same_so_far(one, next, Likeness::bits));
    CHECK(same_behaviour(one, of(3), Likeness::bits));
}
