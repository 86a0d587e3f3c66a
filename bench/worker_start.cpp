// What it takes to start a worker, have one answer from it and end it, at each level of isolation.
#include "subject/worker.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <functional>
#include <map>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <vector>

namespace {

constexpr std::size_t arena_bytes = 64ULL << 20;

double milliseconds(const std::function<void()>& work) {
    const auto start = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

void serve_once(const subject::WorkerProgram& program) {
    subject::Worker worker(program, arena_bytes);
    worker.arena().control().function = ~0U - 1; // there is no such function: an answer without a call
    subject::Reply reply;
    subject::Death death;
    if (!worker.exchange(reply, death)) std::abort();
}

/// The same program without any confinement; it ends at once, since it finds no arena.
void start_bare(const char* path) {
    char* arguments[] = {const_cast<char*>(path), nullptr};
    char* environment[] = {nullptr};
    pid_t pid = -1;
    if (posix_spawn(&pid, path, nullptr, nullptr, arguments, environment) == 0) waitpid(pid, nullptr, 0);
}

} // namespace

int main(int count, char** values) {
    if (count != 4) {
        std::fputs("usage: bench_worker_start WORKER ROUNDS LEVELS, e.g. CBA\n", stderr);
        return 2;
    }
    const sys::Fd worker(open(values[1], O_RDONLY | O_CLOEXEC));
    subject::WorkerProgram program;
    program.fd = worker.get();
    const std::string levels = values[3];
    std::map<std::string, std::vector<double>> times;
    for (int round = -1; round < std::max(std::atoi(values[2]), 1); ++round) {
        std::map<std::string, double> once;
        for (const char level : levels) {
            setenv("ENGINE_ISOLATION_CEILING", std::string(1, level).c_str(), 1);
            once[std::string(1, level)] = milliseconds([&] { serve_once(program); });
        }
        once["bare"] = milliseconds([&] { start_bare(values[1]); });
        if (round < 0) continue; // the first round finds out what the machine allows
        for (const auto& [name, time] : once)
            times[name].push_back(time);
    }
    const char* before = "{";
    for (const auto& [name, list] : times) {
        std::printf("%s\"%s\": [", before, name.c_str());
        for (std::size_t i = 0; i < list.size(); ++i)
            std::printf("%s%.4f", i == 0 ? "" : ", ", list[i]);
        std::printf("]");
        before = ", ";
    }
    std::puts("}");
    return 0;
}
