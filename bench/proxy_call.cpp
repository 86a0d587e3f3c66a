// What a call through the proxy costs, beside the same call made directly.
// Usage: bench_proxy_call WORKER ROUNDS. Prints one JSON object a line, with nanoseconds for each round.
//
// V: vocabulary size, C: channels, T: number of ids; a call reads V * C floats and writes T * C.
#include "subject/proxies.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <vector>

namespace direct {
extern decltype(exercise::lookup) lookup;
}

namespace {

using namespace contract;
using Clock = std::chrono::steady_clock;

struct Silent : subject::Listener {
    void died(const char* function, const subject::Death&) override { stop(function); }
    void not_implemented(const char* function) override { stop(function); }
    void out_of_memory(const char* function) override { stop(function); }
    void device_failed(const char* function, const std::string&) override { stop(function); }
    void overran(const char* function, int, bool) override { stop(function); }
    void changed_input(const char* function, int) override { stop(function); }
    void left_modes(const char* function) override { stop(function); }
    void wrote_kept(const char* function, subject::Kept) override { stop(function); }
    [[noreturn]] static void stop(const char* function) {
        std::fprintf(stderr, "the call of %s failed\n", function);
        std::exit(1);
    }
};

template <class Body>
double nanoseconds(int times, Body body) {
    const auto start = Clock::now();
    for (int i = 0; i < times; ++i)
        body();
    return std::chrono::duration<double, std::nano>(Clock::now() - start).count() / times;
}

void print(const char* key, const std::vector<double>& values, const char* end) {
    std::printf("\"%s\": [", key);
    for (std::size_t i = 0; i < values.size(); ++i)
        std::printf("%s%.1f", i == 0 ? "" : ", ", values[i]);
    std::printf("]%s", end);
}

/// `prepare` is done before each round, untimed.
template <class Prepare>
void measure(const char* name, std::size_t V, std::size_t C, std::size_t T, int times, int rounds,
             Prepare prepare) {
    std::vector<float> table(V * C, 1.5F);
    std::vector<float> out(T * C);
    std::vector<float> copy(std::max(table.size(), out.size()));
    std::vector<TokenId> ids(T);
    for (std::size_t i = 0; i < T; ++i)
        ids[i] = static_cast<TokenId>(i * 7 % V);
    const Matrix<const float> rows{table.data(), V, C, C};
    const Matrix<float> written{out.data(), T, C, C};

    const auto through_proxy = [&] {
        prepare();
        return nanoseconds(times, [&] { subject::lookup(rows, ids, written); });
    };
    const auto in_process = [&] { return nanoseconds(times, [&] { direct::lookup(rows, ids, written); }); };
    const auto one_copy = [&] {
        return nanoseconds(times, [&] {
            std::memcpy(copy.data(), table.data(), table.size() * sizeof(float));
            std::memcpy(copy.data(), out.data(), out.size() * sizeof(float));
        });
    };

    std::vector<double> proxied;
    std::vector<double> called;
    std::vector<double> copied;
    through_proxy();
    in_process();
    one_copy();
    for (int round = 0; round < rounds; ++round) {
        proxied.push_back(through_proxy());
        called.push_back(in_process());
        copied.push_back(one_copy());
    }
    std::printf("{\"row\": \"%s\", ", name);
    print("proxied", proxied, ", ");
    print("direct", called, ", ");
    print("copy", copied, "}\n");
}

} // namespace

int main(int count, char** values) {
    if (count != 3) {
        std::fputs("usage: bench_proxy_call WORKER ROUNDS\n", stderr);
        return 2;
    }
    const int rounds = std::max(std::atoi(values[2]), 1);
    const sys::Fd worker(open(values[1], O_RDONLY | O_CLOEXEC));
    Silent listener;
    subject::WorkerProgram program;
    program.fd = worker.get();
    program.limits.wall = std::chrono::seconds(10);
    program.limits.cpu = std::chrono::seconds(600);
    program.limits.memory_mib = 1024;

    subject::Session& session = subject::Session::current();
    session.bind(program, false, listener);
    const auto new_case = [&] { session.begin_case(); }; // which keeps the transcript short
    measure("small", 6, 3, 4, 2000, rounds, new_case);
    measure("1 MiB", 1024, 256, 1024, 20, rounds, new_case);
    measure("100 MB", 32552, 768, 32552, 1, rounds, new_case);

    const auto new_worker = [&] {
        session.bind(program, false, listener);
        const std::array<float, 1> table{1};
        const std::array<TokenId, 1> ids{0};
        std::array<float, 1> out{};
        subject::lookup({table.data(), 1, 1, 1}, ids, {out.data(), 1, 1, 1}); // it has started
    };
    measure("1 MiB, first", 1024, 256, 1024, 1, rounds, new_worker);
    session.unbind();
    return 0;
}
