// Each way in which a submission can misbehave has its own outcome, and the next case knows nothing of it.
#include "bound.h"
#include "proxies.h"

#include <algorithm>
#include <cmath>
#include <csignal>
#include <doctest/doctest.h>
#include <thread>

using subject::CallLost;
using subject::Fate;
using Lines = std::vector<std::string>;

namespace {

struct Misbehaving : Bound {
    using Bound::Bound;
    /// The next case works as if nothing had been.
    ~Misbehaving() {
        next_case();
        CHECK(subject::add(20, std::int64_t{22}) == 42);
        CHECK(listener.heard.empty());
    }
};

struct Impatient : Misbehaving {
    Impatient() : Misbehaving(FIXTURE_WORKER, model::Check::none, true, std::chrono::milliseconds(1500)) {}
};

} // namespace

TEST_CASE_FIXTURE(Misbehaving, "an exception arrives with its type and text") {
    try {
        subject::throw_exception();
        FAIL("it did not throw");
    } catch (const subject::LearnerThrew& thrown) {
        CHECK(thrown.type == "std::invalid_argument");
        CHECK(std::string(thrown.what()) == "too few rows");
    }
    CHECK(subject::add(1, std::int64_t{2}) == 3); // the worker lives on
    CHECK(listener.heard.empty());
}

TEST_CASE_FIXTURE(Misbehaving, "what is thrown need not be an exception class") {
    try {
        subject::throw_int();
        FAIL("it did not throw");
    } catch (const subject::LearnerThrew& thrown) {
        CHECK(thrown.type == "int");
        CHECK(std::string(thrown.what()).empty());
    }
}

TEST_CASE_FIXTURE(Misbehaving, "bad_alloc is out of memory, not an exception") {
    CHECK_THROWS_AS(subject::run_out_of_memory(), CallLost);
    CHECK(listener.heard == Lines{"out of memory run_out_of_memory"});
}

TEST_CASE_FIXTURE(Misbehaving, "not_implemented is told by the function's name") {
    CHECK_THROWS_AS(subject::say_not_implemented(), CallLost);
    CHECK(listener.heard == Lines{"not implemented say_not_implemented"});
}

TEST_CASE_FIXTURE(Misbehaving, "exit inside a call is a death with its status, 0 included") {
    CHECK_THROWS_AS(subject::exit_with(0), CallLost);
    CHECK(listener.heard == Lines{"died exit_with"});
    CHECK(listener.death.fate == Fate::exited);
    CHECK(listener.death.code == 0);
    CHECK_FALSE(listener.death.before_ready);
}

TEST_CASE_FIXTURE(Misbehaving, "_exit inside a call is a death with its status") {
    CHECK_THROWS_AS(subject::exit_at_once(3), CallLost);
    CHECK(listener.death.fate == Fate::exited);
    CHECK(listener.death.code == 3);
}

TEST_CASE_FIXTURE(Misbehaving, "abort, a null pointer and a fault in arithmetic are signals") {
    CHECK_THROWS_AS(subject::abort_now(), CallLost);
    CHECK(listener.death.fate == Fate::signalled);
    CHECK(listener.death.code == SIGABRT);
    CHECK_FALSE(listener.death.frames.empty());
    CHECK_THROWS_AS(subject::use_null(), CallLost);
    CHECK(listener.death.code == SIGSEGV);
    CHECK_FALSE(listener.death.frames.empty()); // where it happened
    CHECK_THROWS_AS(subject::divide_by_zero(), CallLost);
    CHECK(listener.death.code == SIGFPE);
    CHECK_FALSE(listener.death.frames.empty());
    CHECK_THROWS_AS(subject::exit_at_once(0), CallLost);
    CHECK(listener.death.frames.empty());
}

TEST_CASE_FIXTURE(Impatient, "sleeping and looping end at the time limit of the call") {
    const auto start = std::chrono::steady_clock::now();
    CHECK_THROWS_AS(subject::sleep_long(), CallLost);
    CHECK(listener.death.fate == Fate::timed_out);
    listener.death = {};
    CHECK_THROWS_AS(subject::loop_for_ever(), CallLost);
    CHECK(listener.death.fate == Fate::timed_out);
    const auto took = std::chrono::steady_clock::now() - start;
    CHECK(took >= std::chrono::milliseconds(3000));
    CHECK(took < std::chrono::seconds(30));
}

TEST_CASE_FIXTURE(Misbehaving, "writing past the end or before the beginning names the argument") {
    std::vector<float> out(4, 0);
    // The first call of a case has canaries on both sides; slots are for slots_test.
    const auto write_at = [&](std::int64_t index) {
        next_case();
        listener.heard.clear();
        subject::write_at(out, index, 1.0F);
    };
    write_at(3);
    CHECK(listener.heard.empty());
    write_at(4);
    CHECK(listener.heard == Lines{"after 1"});
    write_at(19); // the canary's last word
    CHECK(listener.heard == Lines{"after 1"});
    write_at(-1);
    CHECK(listener.heard == Lines{"before 1"});
    CHECK(last().damage != 0);
}

TEST_CASE_FIXTURE(Misbehaving, "writing into an empty array is seen too") {
    float somewhere = 0;
    subject::write_at({&somewhere, 0}, 0, 1.0F);
    CHECK(listener.heard == Lines{"after 1"});
}

TEST_CASE_FIXTURE(Misbehaving, "copying past the ends of two arrays is seen, though canary falls on canary") {
    const std::vector<float> in(16, 1);
    std::vector<float> out(16, 0);
    subject::copy_past_both(in, out);
    CHECK(listener.heard == Lines{"after 2"});
}

TEST_CASE_FIXTURE(Misbehaving, "a changed input is named, and the driver's own copy stays") {
    std::vector<float> in{1, 2, 3};
    subject::write_into_input(in, 1, 9.0F);
    CHECK(listener.heard == Lines{"changed 1"});
    CHECK(in == std::vector<float>{1, 2, 3});
    listener.heard.clear();
    subject::write_into_input(in, 1, 2.0F); // the same value: nobody can tell, and nobody is harmed
    CHECK(listener.heard.empty());
}

TEST_CASE_FIXTURE(Misbehaving, "a large buffer is guarded to its last element and just beyond") {
    std::vector<float> large(700'001, 1);
    subject::write_into_input(large, 700'000, 9.0F);
    CHECK(listener.heard == Lines{"changed 1"});
    CHECK(large.back() == 1);
    listener.heard.clear();
    subject::write_at(large, 700'001, 9.0F);
    CHECK(listener.heard == Lines{"after 1"});
    listener.heard.clear();
    subject::write_at(large, 700'000, 9.0F);
    CHECK(listener.heard.empty());
    CHECK(large.back() == 9);
}

TEST_CASE_FIXTURE(Misbehaving, "an input that overlaps an output is guarded where they do not overlap") {
    std::vector<float> memory{0, 1, 2, 3, 4, 5, 6, 7};
    const std::span<float> all(memory);
    subject::copy_past_both(all.first(1), all.subspan(1, 7)); // writes 5 elements of the output: all its own
    CHECK(listener.heard.empty());
    CHECK(memory[1] == 0);

    memory = {0, 1, 2, 3, 4, 5, 6, 7};
    next_case();                                // so that each call is the first, and in no slot
    subject::copy_past_both(all, all.first(2)); // an output of 2 elements within the input of 8
    CHECK(memory == std::vector<float>{0, 1, 2, 3, 4, 5, 6, 7});
    next_case();
    listener.heard.clear();
    subject::copy_past_both(all.subspan(1, 4), all.first(2)); // shifts the input's own tail
    CHECK(std::ranges::find(listener.heard, "changed 1") != listener.heard.end());
    CHECK(memory == std::vector<float>{1, 2, 2, 3, 4, 5, 6, 7});
}

TEST_CASE_FIXTURE(Misbehaving, "a thread that writes after the reply changes nothing that was returned") {
    std::vector<float> out(4, 1);
    subject::write_with_next_request(out);
    CHECK(out == std::vector<float>(4, 1));
    CHECK(subject::add(1, std::int64_t{2}) == 3); // the arena is not laid out anew for this one
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
    CHECK(out == std::vector<float>(4, 1));
}

TEST_CASE_FIXTURE(Misbehaving, "what is printed comes back with the case") {
    subject::print(30);
    subject::print(3);
    const std::string printed = next_case();
    CHECK(printed == "abcdefghijklmnopqrstuvwxyzabcdabc");
    subject::add(1, std::int64_t{1});
    CHECK(next_case().empty());
}

TEST_CASE_FIXTURE(Misbehaving, "printing more than the limit ends the worker, and what is kept is bounded") {
    CHECK_THROWS_AS(subject::print(std::size_t{1} << 20), CallLost);
    CHECK(listener.death.fate == Fate::output_exceeded);
    CHECK(listener.death.output.size() == 4096);
}

TEST_CASE_FIXTURE(Misbehaving, "a worker that closes its output is still answered") {
    subject::close_output();
    CHECK(subject::add(1, std::int64_t{2}) == 3);
    CHECK_THROWS_AS(subject::exit_with(4), CallLost);
    CHECK(listener.death.code == 4);
}

TEST_CASE_FIXTURE(Misbehaving,
                  "scribbling over the protocol yields the right answer or none, in this case alone") {
    // Whether the driver looks while the counter is wrong is chance.
    const auto right_or_lost = [](const auto& call, int right) {
        try {
            const int answer = call();
            CHECK(answer == right);
            return true;
        } catch (const CallLost&) {
            return false;
        }
    };
    const bool first = right_or_lost([] { return subject::scribble_over_control(); }, 1);
    const bool second = right_or_lost([] { return subject::add(1, std::int64_t{2}); }, 3);
    CHECK(listener.heard.size() == static_cast<std::size_t>(!first) + static_cast<std::size_t>(!second));
}

TEST_CASE_FIXTURE(Misbehaving, "ringing without an answer is borne for a while, and then ends the worker") {
    CHECK(subject::ring_the_bell(5) == 5);
    CHECK_THROWS_AS(subject::ring_the_bell(100'000), CallLost);
    CHECK((listener.death.fate == Fate::broke_protocol || listener.death.fate == Fate::timed_out));
}

TEST_CASE_FIXTURE(Misbehaving, "a reply before its request never helps") {
    // The shim's own reply comes after, so that either is seen, depending on who looks first. CHECK would
    // keep what is thrown.
    try {
        const int answer = subject::reply_early(5);
        CHECK(answer == 5);
        listener.heard.clear();
    } catch (const CallLost&) {
        CHECK(listener.death.fate == Fate::broke_protocol);
    }
}

TEST_CASE_FIXTURE(Misbehaving, "a result of the wrong size breaks the protocol, and not the driver") {
    CHECK_THROWS_AS(subject::reply_with_size(0), CallLost);
    CHECK(listener.death.fate == Fate::broke_protocol);
    CHECK_THROWS_AS(subject::reply_with_size(8), CallLost);
    CHECK_THROWS_AS(subject::reply_with_size(~0U), CallLost);
    CHECK(subject::reply_with_size(4) == 1); // an int, as promised
}

TEST_CASE_FIXTURE(Misbehaving, "an array that claims more than there is room for breaks the protocol") {
    CHECK_THROWS_AS(subject::claim_elements(std::uint64_t{1} << 40), CallLost);
    CHECK(listener.death.fate == Fate::broke_protocol);
    CHECK_THROWS_AS(subject::claim_elements(6), CallLost); // a float and a half
    CHECK(subject::claim_elements(8).size() == 2);
}

TEST_CASE_FIXTURE(Misbehaving, "a bool is never true and false at once") {
    const bool value = subject::neither_true_nor_false();
    unsigned char byte = 0;
    std::memcpy(&byte, &value, 1);
    CHECK(byte == 1);
}

TEST_CASE("a program that exits before its first call says so") {
    Bound bound(FIXTURE_EARLY_EXIT);
    CHECK_THROWS_AS(subject::add(1, std::int64_t{1}), CallLost);
    CHECK(bound.listener.death.before_ready);
    CHECK(bound.listener.death.fate == Fate::exited);
    CHECK(bound.listener.death.code == 0);
}

TEST_CASE("a case that follows another stops where it goes otherwise") {
    Bound bound;
    subject::add(1, std::int64_t{1});
    subject::add(2, std::int64_t{2});
    const subject::Transcript expected = bound.session().transcript();

    bound.session().expect(&expected, subject::Likeness::bits);
    bound.next_case();
    CHECK(subject::add(1, std::int64_t{1}) == 2);
    CHECK_FALSE(bound.session().diverged());
    CHECK_THROWS_AS(subject::add(2, std::int64_t{3}), CallLost);
    CHECK(bound.session().diverged());
    CHECK_THROWS_AS(subject::add(2, std::int64_t{2}), CallLost);
    CHECK(bound.listener.heard.empty());

    bound.next_case();
    CHECK(subject::add(1, std::int64_t{1}) == 2);
    CHECK(subject::add(2, std::int64_t{2}) == 4);
    CHECK(subject::same_behaviour(bound.session().transcript(), expected, subject::Likeness::bits));
}
