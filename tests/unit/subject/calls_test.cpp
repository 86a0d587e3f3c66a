// Honest calls: every kind of parameter and result through a real worker.
#include "bound.h"
#include "proxies.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>
#include <thread>

using namespace contract;

TEST_CASE_FIXTURE(Bound, "scalars, enumerators and structs come back") {
    CHECK(subject::add(2, std::int64_t{40}) == 42);
    CHECK(subject::half(5.0) == 2.5);
    CHECK(subject::is_blue(Colour::blue));
    CHECK_FALSE(subject::is_blue(Colour::red));
    CHECK(subject::after(Colour::green) == Colour::blue);
    CHECK(subject::swap_parts(Pair{3.0, 7}) == Pair{7.0, 3});
    CHECK(listener.heard.empty());
}

TEST_CASE_FIXTURE(Bound, "arrays go in, and come back where they are writable") {
    const std::vector<float> values{1, 2, 3.5F};
    CHECK(subject::sum(values) == 6.5);
    CHECK(subject::sum({}) == 0);

    const std::vector<double> in{1, -2};
    std::vector<double> out(2);
    subject::twice(in, out);
    CHECK(out == std::vector<double>{2, -4});
    CHECK(listener.heard.empty());
}

TEST_CASE_FIXTURE(Bound, "matrices keep their strides, and their padding") {
    std::vector<float> in{1, 2, 3, -9, 4, 5, 6};
    std::vector<float> out(3 * 4 - 2, 7);
    subject::transpose(Matrix<const float>(in.data(), 2, 3, 4), Matrix<float>(out.data(), 3, 2, 4));
    CHECK(out == std::vector<float>{1, 4, 7, 7, 2, 5, 7, 7, 3, 6});
    CHECK(listener.heard.empty());
}

TEST_CASE_FIXTURE(Bound, "tensors of three axes and views of the contract's own") {
    std::vector<float> in(2 * 3 * 2);
    std::iota(in.begin(), in.end(), 1.0F);
    std::vector<float> out(in.size());
    subject::negate(Tensor3<const float>(in.data(), 2, 3, 2), Tensor3<float>(out.data(), 2, 3, 2));
    CHECK(out.front() == -1);
    CHECK(out.back() == -12);

    std::vector<float> every(5, 0);
    subject::fill_every_second(EverySecond{every.data(), 3}, 8.0F);
    CHECK(every == std::vector<float>{8, 0, 8, 0, 8});
    CHECK(listener.heard.empty());
}

TEST_CASE_FIXTURE(Bound, "texts and returned arrays of any length") {
    CHECK(subject::count_letter("banana", 'a') == 3);
    CHECK(subject::count_letter("", 'a') == 0);
    CHECK(subject::greet("you") == "hello you");
    CHECK(subject::ramp(0).empty());
    CHECK(subject::ramp(3) == std::vector<float>{0, 1, 2});
    const std::vector<float> large = subject::ramp(1'000'000);
    REQUIRE(large.size() == 1'000'000);
    CHECK(large.back() == 999'999);
    CHECK(subject::ramp(2) == std::vector<float>{0, 1}); // nothing is left of the large one
    CHECK(subject::ramp(0).empty());
    CHECK(subject::add(1, std::int64_t{2}) == 3);
    CHECK(large[500'000] == 500'000);
}

TEST_CASE_FIXTURE(Bound,
                  "an array larger than the room for results is an exception of the call's, and no more") {
    CHECK_THROWS_AS(subject::ramp(std::size_t{20} << 20), subject::LearnerThrew);
    CHECK(subject::add(1, std::int64_t{1}) == 2);
}

TEST_CASE("turning to an implementation keeps the process that has it") {
    Bound bound(FIXTURE_WORKER, model::Check::none, false);
    const auto counter = subject::make_counter(1);
    bound.session().turn_to(""); // the only one the fixture has
    CHECK(subject::advance(counter) == 1);
}

TEST_CASE("turning to an implementation that is not there loses the next call") {
    Bound bound(FIXTURE_WORKER, model::Check::none, false);
    subject::make_counter(1);
    bound.session().turn_to("nobody");
    CHECK_THROWS_AS(subject::make_counter(1), subject::CallLost);
    CHECK(bound.listener.death.before_ready);
    bound.next_case();
    bound.session().turn_to("");
    CHECK(subject::make_counter(1).valid());
}

TEST_CASE_FIXTURE(Bound, "overlap of two arguments is the same in the worker, and so is its absence") {
    std::vector<float> memory(16, 0);
    const std::span<float> all(memory);
    CHECK(subject::relation(all.first(8), all.subspan(4, 8)) == 4 * 4 * 256 + 1);
    CHECK(subject::relation(all.first(8), all.first(8)) == 1);
    CHECK(subject::relation(all.subspan(4, 8), all.first(8)) == -4 * 4 * 256 + 1);
    CHECK(subject::relation(all.first(4), all.subspan(4, 4)) % 256 == 0); // adjacent ones lie apart
}

TEST_CASE_FIXTURE(Bound, "the misalignment of a buffer is the same in the worker") {
    alignas(16) std::array<std::byte, 64> memory{};
    for (std::size_t at = 0; at < 16; ++at) {
        next_case(); // the first call of a case is in no slot, whose end would decide
        CHECK(subject::misalignment(std::span<const std::byte>(memory).subspan(at, 8)) ==
              static_cast<int>(at));
    }
}

TEST_CASE_FIXTURE(Bound, "shared tensors are seen by both sides without a copy") {
    auto* shared = reinterpret_cast<float*>(session().shared_bytes(std::size_t{8} << 30));
    const std::size_t far = (std::size_t{8} << 30) / sizeof(float) - 1;
    shared[far] = 3;
    CHECK(subject::sum(std::span<const float>(shared + far, 1)) == 3);
    subject::write_at(std::span<float>(shared + far - 3, 4), 0, 5.0F);
    CHECK(shared[far - 3] == 5);
    CHECK(shared[0] == 0);
    CHECK(listener.heard.empty());
}

TEST_CASE_FIXTURE(Bound, "of a shared tensor the pages count that a call touches, not those that are lent") {
    constexpr std::size_t values = (std::size_t{2} << 30) / sizeof(float);
    auto* shared = reinterpret_cast<float*>(session().shared_bytes(values * sizeof(float)));
    std::fill_n(shared, values / 2, 1.0F); // more than the worker itself may have
    CHECK(subject::sum(std::span<const float>(shared, values / 2)) == values / 2);
    CHECK(listener.heard.empty());
    CHECK_THROWS_AS(subject::fill_every_second({shared + values / 2, values / 4}, 1.0F), subject::CallLost);
    CHECK(listener.heard == std::vector<std::string>{"died fill_every_second"});
    CHECK(listener.death.fate == subject::Fate::memory_exceeded);
    listener.heard.clear();
    next_case();
    CHECK(subject::add(20, std::int64_t{22}) == 42);
}

TEST_CASE_FIXTURE(Bound, "a second shared tensor is refused until the next case") {
    session().shared_bytes(4096);
    CHECK_THROWS_AS(session().shared_bytes(4096), std::logic_error);
    next_case();
    auto* shared = reinterpret_cast<float*>(session().shared_bytes(4096));
    shared[0] = 3;
    CHECK(subject::sum(std::span<const float>(shared, 1)) == 3);
}

TEST_CASE_FIXTURE(Bound, "calls larger than the usual arena get a larger one") {
    const std::vector<float> large(std::size_t{20} << 20, 1.0F); // 80 MiB
    CHECK(subject::sum(large) == 20 << 20);
    CHECK(subject::add(1, std::int64_t{2}) == 3);
}

TEST_CASE_FIXTURE(Bound, "a call that is too large starts the worker over, whatever earlier cases needed") {
    const std::vector<float> large(std::size_t{20} << 20, 1.0F);
    const auto counters_after_large_call = [&] {
        const auto counter = subject::make_counter(1);
        REQUIRE(counter.valid());
        CHECK(subject::counters_alive() == 1);
        subject::sum(large);
        return subject::counters_alive();
    };
    CHECK(counters_after_large_call() == 0);
    next_case();
    CHECK(counters_after_large_call() == 0);
    subject::sum(large); // there is room by now
    const auto counter = subject::make_counter(1);
    REQUIRE(counter.valid());
    subject::sum(large);
    CHECK(subject::counters_alive() == 1);
}

TEST_CASE_FIXTURE(Bound, "a worker makes a call many times by itself, and the last one counts") {
    const auto counter = subject::make_counter(0);
    session().repeat_calls(65'534);
    CHECK(subject::advance(counter) == 65'534);
    CHECK(last().outputs.empty()); // a result that follows from how many there was time for is no behaviour
    session().repeat_calls(0);
    CHECK(subject::advance(counter) == 65'535);
    session().repeat_calls(2);
    std::vector<double> out(1);
    subject::twice(std::vector<double>{4}, out);
    CHECK(out[0] == 8);
    next_case();
    CHECK(subject::advance(subject::make_counter(7)) == 7); // another case repeats nothing
}

TEST_CASE_FIXTURE(Bound, "a call that takes long is not made for longer than there is time") {
    session().repeat_calls(1'000'000);
    const auto start = std::chrono::steady_clock::now();
    subject::sleep_for(100);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(20));
    session().repeat_calls(0);
}

TEST_CASE_FIXTURE(Bound, "large outputs come back whole, whether the worker was awake or asleep") {
    std::vector<double> in(200'003);
    std::vector<double> out(in.size());
    for (int call = 1; call <= 4; ++call) {
        std::iota(in.begin(), in.end(), 1000.0 * call);
        if (call % 2 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(20));
        subject::twice(in, out);
        CHECK(std::ranges::equal(in, out, [](double x, double y) { return y == 2 * x; }));
        REQUIRE(last().outputs.size() == 1);
        CHECK(last().outputs[0].bytes == out.size() * sizeof(double));
        const auto kept = session().transcript().kept(last().outputs[0]);
        CHECK(kept.size() == (call <= 2 ? out.size() * sizeof(double) : 0)); // as many as there is room for
        CHECK(std::ranges::equal(kept, std::as_bytes(std::span(out)).first(kept.size())));
    }
    CHECK(listener.heard.empty());
}

TEST_CASE_FIXTURE(Bound, "a scalar result is compared up to rounding, like any output") {
    subject::half(3.0);
    REQUIRE(last().outputs.size() == 1);
    CHECK(last().outputs[0].kind == subject::ElementKind::float64);
    subject::add(1, std::int64_t{2});
    CHECK(last().outputs[0].kind == subject::ElementKind::bytes);
    CHECK(last().message.empty());
}

TEST_CASE("a sanitized worker sees the first byte past a buffer") {
    Bound bound(FIXTURE_CHECKED_WORKER, model::Check::sanitizers, false);
    const std::vector<float> values{1, 2, 3.5F};
    CHECK(subject::sum(values) == 6.5);
    std::vector<float> out(3, 0);
    subject::write_at(out, 2, 9.0F);
    CHECK(out[2] == 9);
    CHECK_THROWS_AS(subject::write_at(out, 3, 9.0F), subject::CallLost);
    CHECK(bound.listener.death.fate == subject::Fate::exited);
    CHECK(bound.listener.death.code == 99);
    CHECK(bound.listener.death.output.find("heap-buffer-overflow") != std::string::npos);
    CHECK(out[2] == 9);
    bound.next_case();
    CHECK(subject::sum(values) == 6.5);
}

TEST_CASE("a checked worker ends with a write that its sanitizer names by the control's numbers") {
    Bound bound(FIXTURE_CHECKED_WORKER, model::Check::sanitizers, false, std::chrono::seconds(30), true);
    const std::vector<float> values{1, 2, 3.5F};
    CHECK(subject::sum(values) == 6.5);
    bound.next_case();
    CHECK(subject::sum(values) == 6.5);
    bound.session().unbind();
    const auto ends = bound.session().take_ends();
    REQUIRE(ends.size() == 1);
    CHECK(ends[0].first_case == 0);
    CHECK(ends[0].last_case == 1);
    CHECK(ends[0].shown.find(" " + std::to_string(ends[0].control.size) + "-byte region") !=
          std::string::npos);
    CHECK(ends[0].shown.find("located " + std::to_string(ends[0].control.step) + " bytes") !=
          std::string::npos);
}

TEST_CASE(
    "a worker that is watched for races ends with one that its sanitizer names by the control's numbers") {
    Bound bound(FIXTURE_RACING_WORKER, model::Check::races, false, std::chrono::seconds(30), true);
    const std::vector<float> values{1, 2, 3.5F};
    CHECK(subject::sum(values) == 6.5);
    bound.session().unbind();
    const auto ends = bound.session().take_ends();
    REQUIRE(ends.size() == 1);
    CHECK(ends[0].shown.find("ThreadSanitizer: data race") != std::string::npos);
    CHECK(ends[0].shown.find("heap block of size " + std::to_string(ends[0].control.size) + " ") !=
          std::string::npos);
}

TEST_CASE("a worker that is not checked, or dies before, shows no control") {
    const std::vector<float> values{1, 2, 3.5F};
    {
        Bound plain(FIXTURE_WORKER, model::Check::none, false, std::chrono::seconds(30), true);
        CHECK(subject::sum(values) == 6.5);
        plain.session().unbind();
        const auto ends = plain.session().take_ends();
        REQUIRE(ends.size() == 1);
        CHECK(ends[0].shown.empty());
    }
    Bound dying(FIXTURE_CHECKED_WORKER, model::Check::sanitizers, false, std::chrono::seconds(30), true);
    CHECK(subject::sum(values) == 6.5);
    dying.next_case();
    std::vector<float> out(3, 0);
    CHECK_THROWS_AS(subject::write_at(out, 3, 9.0F), subject::CallLost);
    dying.session().unbind();
    const auto ends = dying.session().take_ends();
    REQUIRE(ends.size() == 1);
    CHECK(ends[0].first_case == 0);
    CHECK(ends[0].last_case == 1);
    CHECK(ends[0].shown.empty());
}

TEST_CASE("calls that are refused are lost, until the next case") {
    Bound bound;
    bound.session().refuse();
    CHECK_THROWS_AS(subject::sum(std::vector<float>{1}), subject::CallLost);
    bound.next_case();
    CHECK(subject::sum(std::vector<float>{1}) == 1);
}
