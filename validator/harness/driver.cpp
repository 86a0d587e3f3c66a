// The driver: runs a problem's suite against a worker and tells the supervisor what was seen.
#include "events/event.h"
#include "events/request.h"
#include "harness/hunt.h"
#include "harness/naming.h"
#include "harness/orders.h"
#include "harness/recorder.h"
#include "harness/reporter.h"
#include "harness/sweep.h"
#include "subject/workplace.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <exception>
#include <iterator>
#include <memory>
#include <sys/prctl.h>
#include <unistd.h>

namespace harness {
namespace {

using events::CaseEnded;
using events::Request;

using Clock = std::chrono::steady_clock;

std::string read_all(int fd) {
    std::string text;
    char buffer[4096];
    for (;;) {
        const ssize_t got = read(fd, buffer, sizeof buffer);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return text;
        text.append(buffer, static_cast<std::size_t>(got));
    }
}

void send(const events::Event& event) {
    const std::string line = events::write_event(event);
    for (std::size_t sent = 0; sent < line.size();) {
        const ssize_t wrote = write(events::events_fd, line.data() + sent, line.size() - sent);
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) _exit(1); // nobody listens any more
        sent += static_cast<std::size_t>(wrote);
    }
}

bool is_large(const std::string& name) {
    const auto found = std::ranges::find(list_cases(), name, &ListedCase::name);
    return found != list_cases().end() && found->large;
}

/// How many times the limit a call of the case may take: one over millions of rows may look at each of them.
int times_of(const std::string& name) {
    return is_large(name) ? 5 : 1;
}

std::vector<std::string> in_suite_order(const std::vector<std::string>& names, bool timed) {
    std::vector<std::string> ordered;
    for (const ListedCase& each : list_cases())
        if (each.timed == timed && std::ranges::find(names, each.name) != names.end())
            ordered.push_back(each.name);
    return ordered;
}

/// Whether the submission has not implemented what a case calls. No known mistake does that.
bool stopped_at_a_gap(const subject::Transcript& transcript) {
    return std::ranges::any_of(transcript.observations(), [](const subject::Observation& call) {
        return call.reply == subject::ReplyKind::not_implemented;
    });
}

/// A call was ended that other programs had kept from running.
bool was_crowded_out(const std::vector<Finding>& findings) {
    return std::ranges::find(findings, model::OutOfTime::crowded, &Finding::out_of_time) != findings.end();
}

std::shared_ptr<subject::Budget> budget_of(const Request& request) {
    if (request.total.count() == 0) return nullptr;
    return std::make_shared<subject::Budget>(events::spent_fd, request.total, request.slowdown);
}

bool lost_its_worker(const std::vector<Finding>& findings) {
    return std::ranges::find(findings, Finding::Kind::died, &Finding::kind) != findings.end();
}

/// Runs the cases asked for against the submission; returns those that failed, with what was seen in them.
Judged judge(const Request& request, const std::vector<std::string>& names) {
    subject::Session& session = subject::Session::current();
    Recorder& recorder = Recorder::current();
    session.bind({events::worker_fd,
                  {request.implementation},
                  request.check,
                  request.emulated,
                  request.controlled,
                  request.limits,
                  request.gpu_files,
                  request.launcher,
                  budget_of(request),
                  request.slots},
                 !request.one_worker, recorder);
    recorder.expect_chance(request.threaded);
    if (request.record) session.record(events::recording_fd);
    session.time_calls(request.timed && request.check == model::Check::gpu);

    Judged judged;
    std::vector<FailedCase>& failed = judged.failed;
    std::vector<std::string> begun;
    Clock::time_point start;
    // Counted by the limit, since a busy machine is no fault of the submission.
    std::chrono::milliseconds lost{0};
    std::string observed;
    CaseEnded result;
    bool namable = false;
    const auto started = [&](const std::string& name) {
        begun.push_back(name);
        session.begin_case();
        session.allow(times_of(name));
    };
    const auto ended = [&](const std::string& name) {
        const auto duration = std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - start);
        namable = recorder.failed() && !recorder.suite_broke() && !stopped_at_a_gap(session.transcript());
        if (namable)
            failed.push_back({name, session.transcript(), recorder.findings(), recorder.likeness(), duration,
                              0, is_large(name)});
        const std::string output = session.end_case() + recorder.take_last_words();
        observed += session.take_observations();
        result = {.name = name,
                  .findings = recorder.end_case(),
                  .duration = duration,
                  .output = output,
                  .minimum_traffic = recorder.minimum_traffic(),
                  .measured = recorder.measured(),
                  .times_us = recorder.times_us()};
    };
    std::vector<std::string> to_run = in_suite_order(names, request.timed);
    const std::size_t count = to_run.size();
    for (std::size_t i = 0; i < to_run.size(); ++i) { // it grows
        const std::string name = to_run[i];
        send(events::CaseStarted{name});
        if (lost >= request.budget || session.out_of_budget()) {
            send(CaseEnded{.name = name, .skipped = true});
            continue;
        }
        start = Clock::now();
        const std::uint64_t calls_before = session.calls_made();
        observed.clear();
        // Under which orders of threads a result is right shows in small cases.
        if (request.timed || is_large(name))
            run_cases({name}, {started, ended});
        else if (const std::uint32_t order = run_case_in_orders(name, {started, ended}); namable)
            failed.back().order = order;
        result.left_out = session.left_out() && result.findings.empty();
        // What a busy machine kept from running gets one more chance once the other cases are through.
        if (i < count && was_crowded_out(result.findings))
            to_run.push_back(name);
        else if (ran_out_of_time(result.findings))
            lost += times_of(name) * request.limits.wall;
        // What a launcher failed at once it fails at again, after as long a wait.
        if (request.launcher.given() && lost_its_worker(result.findings)) lost = request.budget;
        result.observed = observed;
        result.calls = session.calls_made() - calls_before;
        if (result.findings.empty() && !result.left_out) judged.passed.insert(name);
        send(result);
    }
    session.unbind();
    for (const subject::WorkerEnd& end : session.take_ends())
        send(events::WorkerEnded{{begun.begin() + static_cast<std::ptrdiff_t>(end.first_case),
                                  begun.begin() + static_cast<std::ptrdiff_t>(end.last_case) + 1},
                                 end.control,
                                 end.shown,
                                 end.trouble,
                                 end.before_ready});
    return judged;
}

void judge_and_name(const Request& request, const std::vector<std::string>& names) {
    Judged judged = judge(request, names);
    for (const auto& [function, says] : Recorder::current().take_what_failures_share())
        send(events::FailuresShare{function, says});
    for (const events::MistakeMatched& match : name_mistakes(request, std::move(judged)))
        send(match);
}

void run() {
    const subject::Workplace workplace;
    const Request request = events::read_request(read_all(0));
    Recorder::current().set_seed(request.seed);
    Recorder::current().use_full_size(request.full_size);
    Recorder::current().be_thorough(request.thorough);
    std::vector<std::string> all;
    for (const ListedCase& each : list_cases())
        if (each.timed == request.timed) all.push_back(each.name);
    send(events::CasesEvent{all});
    std::vector<std::string> wanted = request.tests.empty() ? all : request.tests;
    if (request.without_large) {
        const auto large = std::stable_partition(wanted.begin(), wanted.end(),
                                                 [](const std::string& name) { return !is_large(name); });
        for (auto name = large; name != wanted.end(); ++name)
            send(CaseEnded{.name = *name, .left_out = true});
        wanted.erase(large, wanted.end());
        // Threads share out only what is long.
        Recorder::current().allow_long_calls(request.check == model::Check::races);
    }
    if (!request.sweep.rows.empty())
        run_sweep(request, [](const events::Swept& swept) { send(swept); });
    else if (request.hunt.empty())
        judge_and_name(request, wanted);
    else
        hunt(request, wanted, [](const events::MutantEnded& ended) { send(ended); });
    if (request.coverage)
        for (const Coverage::Row& row : Recorder::current().coverage().rows())
            send(
                events::Covered{row.function, row.parameter, name(row.adversity), row.reached, row.left_out});
    for (const auto& [probe, tally] : Recorder::current().probes())
        send(events::Probed{std::string(row_of(probe).name), tally.calls, tally.failed, tally.duration});
    send(events::RunEnded{});
}

} // namespace
} // namespace harness

int main() {
    // A worker of the same user must not be able to look into, stop or change this process.
    prctl(PR_SET_DUMPABLE, 0);
    try {
        harness::run();
        return 0;
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
    } catch (...) {
        std::fputs("unknown exception\n", stderr);
    }
    return 1;
}
