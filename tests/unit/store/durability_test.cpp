#include "store/store.h"

#include "unit/store/scratch.h"

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <functional>
#include <set>
#include <thread>
#include <vector>

using model::Verdict;
using store::Store;

namespace {

pid_t start(const std::function<void()>& work) {
    const pid_t child = ::fork();
    if (child != 0) return child;
    int status = 1;
    try {
        work();
        status = 0;
    } catch (...) {
    }
    ::_exit(status);
}

bool ended_well(pid_t child) {
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/// On a slow disk several busy writers can keep one waiting until it is told to try again: then it does.
template <typename Work>
auto at_last(Work work) {
    for (;;)
        try {
            return work();
        } catch (const model::EnvironmentError& error) {
            if (std::string_view(error.what()).find("another program holds it") == std::string_view::npos)
                throw;
        }
}

Store open_at_last(const std::filesystem::path& database) {
    return at_last([&] { return Store::open(database); });
}

std::uint64_t record_at_last(Store& store, const model::Judgement& judgement) {
    return at_last([&] { return store.record(judgement, "submit-build"); });
}

} // namespace

TEST_CASE("processes that create and write at once lose nothing and number without gaps") {
    const Scratch scratch;
    constexpr int writers = 4, each = 30;
    std::vector<pid_t> children;
    for (int w = 0; w < writers; ++w)
        children.push_back(start([&] {
            auto store = open_at_last(scratch.database());
            for (int i = 0; i < each; ++i)
                record_at_last(store, judged("p", Verdict::wrong_answer, 1));
        }));
    for (const pid_t child : children)
        CHECK(ended_well(child));
    const auto attempts = Store::open(scratch.database()).attempts("p", SIZE_MAX);
    REQUIRE(attempts.size() == writers * each);
    CHECK(attempts.front().number == writers * each);
    CHECK(attempts.back().number == 1);
}

TEST_CASE("threads with a store each lose nothing, and readers meanwhile see whole attempts") {
    const Scratch scratch;
    constexpr std::uint64_t writers = 3, each = 30;
    std::vector<std::thread> threads;
    std::vector<std::uint64_t> seen(writers, 0);
    for (std::uint64_t w = 0; w < writers; ++w)
        threads.emplace_back([&, w] {
            const std::string mine = "p" + std::to_string(w);
            for (std::uint64_t i = 0; i < each; ++i) {
                auto store = open_at_last(scratch.database());
                const auto number = record_at_last(store, judged(mine, Verdict::accepted, 20));
                if (at_last([&] { return store.progress(mine); }).attempts == number) ++seen[w];
            }
        });
    for (auto& thread : threads)
        thread.join();
    for (std::uint64_t w = 0; w < writers; ++w) {
        CHECK(seen[w] == each);
        CHECK(Store::open(scratch.database()).progress("p" + std::to_string(w)).attempts == each);
    }
}

TEST_CASE("kill -9 while writing leaves a readable file with everything that was reported") {
    for (int round = 0; round < 12; ++round) {
        const Scratch scratch;
        int reported[2];
        REQUIRE(::pipe(reported) == 0);
        const pid_t child = start([&] {
            ::close(reported[0]);
            for (;;) { // opening again and again also puts creation under the axe
                auto store = Store::open(scratch.database());
                const std::uint64_t number = store.record(judged("p", Verdict::accepted, 20), "submit-build");
                if (::write(reported[1], &number, sizeof number) != sizeof number) return;
            }
        });
        ::close(reported[1]);
        std::set<std::uint64_t> promised;
        std::uint64_t number = 0;
        const bool after_the_first = round % 2 == 1; // else the creation itself may be hit
        if (after_the_first && ::read(reported[0], &number, sizeof number) == sizeof number)
            promised.insert(number);
        std::this_thread::sleep_for(std::chrono::microseconds(700 * (round * round + 1)));
        ::kill(child, SIGKILL);
        ::waitpid(child, nullptr, 0);

        while (::read(reported[0], &number, sizeof number) == sizeof number)
            promised.insert(number);
        ::close(reported[0]);

        auto store = Store::open(scratch.database());
        const auto attempts = store.attempts("p", SIZE_MAX);
        std::set<std::uint64_t> kept;
        for (const auto& attempt : attempts)
            kept.insert(attempt.number);
        CHECK(std::includes(kept.begin(), kept.end(), promised.begin(), promised.end()));
        CHECK(kept.size() <= promised.size() + 1); // at most the one that was cut off before it was reported
        CHECK((kept.empty() || store.progress("p").accepted));
        if (after_the_first) CHECK(!promised.empty());
        CHECK(store.record(judged("p", Verdict::accepted, 20), "test") == kept.size() + 1);
    }
}
