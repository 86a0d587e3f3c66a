#include "subject/worker.h"

#include "isolation/files.h"
#include "isolation/worker.h"
#include "model/check.h"
#include "model/errors.h"
#include "subject/crash_notes.h"
#include "system/pipe.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <sys/eventfd.h>
#include <utility>

namespace subject {
namespace {

using Clock = std::chrono::steady_clock;

/// Never waits: a worker that fills a bell, or takes back its own ring, must not stop the driver.
sys::Fd make_eventfd() {
    sys::Fd fd(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
    if (!fd) throw model::EnvironmentError(std::string("cannot make an eventfd: ") + std::strerror(errno));
    return fd;
}

bool has_sanitizer(const WorkerProgram& program) {
    return program.check == model::Check::sanitizers || program.check == model::Check::races;
}

std::vector<std::string> environment(const WorkerProgram& program, std::size_t arena_bytes) {
    std::vector<std::string> result{"LC_ALL=C.UTF-8"};
    const std::string max_mib =
        std::to_string(program.limits.memory_mib * isolation::sanitizer_memory_factor + (arena_bytes >> 20));
    if (program.check == model::Check::sanitizers) {
        result.push_back("ASAN_OPTIONS=exitcode=" + std::to_string(model::address_sanitizer_status) +
                         ":detect_leaks=0:disable_coredump=0:allocator_may_return_null=0:"
                         "detect_stack_use_after_return=0:handle_abort=0:hard_rss_limit_mb=" +
                         max_mib);
        result.push_back("UBSAN_OPTIONS=print_stacktrace=1:halt_on_error=1:exitcode=" +
                         std::to_string(model::undefined_behaviour_status));
    } else if (program.check == model::Check::races) {
        // A crash is told by how the worker ends, as in the build that is judged.
        result.push_back("TSAN_OPTIONS=exitcode=" + std::to_string(model::thread_sanitizer_status) +
                         ":halt_on_error=1:report_thread_leaks=0:detect_deadlocks=0:report_signal_unsafe=0:"
                         "disable_coredump=0:handle_segv=0:handle_sigbus=0:handle_abort=0:handle_sigill=0:"
                         "handle_sigfpe=0:allocator_may_return_null=0:hard_rss_limit_mb=" +
                         max_mib);
    }
    if (program.launcher.given()) result.insert(result.end(), {"TMPDIR=/tmp", "HOME=/tmp"});
    if (std::string path = isolation::library_path({program.gpu_files.begin(), program.gpu_files.end()});
        !path.empty())
        result.push_back(std::move(path));
    return result;
}

/// A report comes on top of what a submission may print.
std::uint64_t max_output(const WorkerProgram& program) {
    constexpr std::uint64_t report_bytes = 64 << 10;
    constexpr std::uint64_t launcher_report_bytes = 256 << 10; // on all tests that one worker serves
    return (program.limits.output_kib << 10) + (has_sanitizer(program) ? report_bytes : 0) +
           (program.launcher.given() ? launcher_report_bytes : 0);
}

/// What is executed: the worker's program, or the launcher with the worker's command line after its own.
void set_program(const WorkerProgram& program, sys::Command& command) {
    command.arguments = program.arguments;
    if (!program.launcher.given()) {
        command.program = "worker";
        command.program_fd = program.fd;
        return;
    }
    command.program = program.launcher.program;
    command.arguments.insert(command.arguments.begin(), sys::program_in_sandbox);
    command.arguments.insert(command.arguments.begin(), program.launcher.arguments.begin(),
                             program.launcher.arguments.end());
}

} // namespace

Worker::Worker(const WorkerProgram& program, std::size_t arena_bytes)
    : program_(program), arena_(arena_bytes), request_(make_eventfd()), reply_(make_eventfd()) {
    sys::Pipe pipe = sys::make_pipe();
    sys::set_nonblocking(pipe.read.get());
    output_ = std::move(pipe.read);

    sys::Command command;
    set_program(program, command);
    command.environment = environment(program, arena_.bytes());
    command.fds = {{pipe.write.get(), 1},
                   {pipe.write.get(), 2},
                   {arena_.fd(), arena_fd},
                   {request_.get(), request_fd},
                   {reply_.get(), reply_fd}};
    command.confinement = isolation::confine_worker({program.limits,
                                                     program.fd,
                                                     arena_.bytes(),
                                                     has_sanitizer(program),
                                                     program.check == model::Check::races,
                                                     {program.gpu_files.begin(), program.gpu_files.end()},
                                                     program.launcher});
    process_ = sys::spawn(command);
}

Worker::~Worker() {
    if (process_ && program_.budget) charge(process_.times().cpu().value_or(charged_));
}

void Worker::rouse() {
    if (arena_.control().worker_sleeps.load(std::memory_order_seq_cst) == 0) return;
    const std::uint64_t one = 1;
    [[maybe_unused]] const ssize_t written = write(request_.get(), &one, sizeof one);
}

bool Worker::exchange(Reply& reply, Death& death, Waiting waiting) {
    if (!process_) {
        death = Death{};
        return false;
    }
    if (program_.budget && program_.budget->used_up()) return out_of_time(OutOfTime::budget, death);
    if (!ready_ && !wait_ready(death)) return false;

    if (arena_is_large()) lent_kib_ = arena_.present_kib();
    Control& control = arena_.control();
    const std::uint64_t number = ++calls_;
    control.requests.store(number, std::memory_order_seq_cst);
    rouse();
    if (!wait_reply(number, death, waiting)) return false;

    const std::size_t size = std::min<std::size_t>(control.reply_bytes, message_bytes);
    reply.kind = control.reply;
    reply.message.assign(control.reply_message, control.reply_message + size);
    return true;
}

bool Worker::ask(Reply& reply, Death& death) {
    const std::shared_ptr<Budget> budget = std::exchange(program_.budget, nullptr);
    const bool answered = exchange(reply, death);
    program_.budget = budget;
    return answered;
}

bool Worker::exchange_timed(Reply& reply, Death& death, std::chrono::nanoseconds& time) {
    time = {};
    if (!exchange(reply, death)) return false;
    if (reply.kind != ReplyKind::paused) return true;
    const auto start = Clock::now();
    if (!exchange(reply, death, Waiting::awake)) return false;
    time = Clock::now() - start;
    return reply.kind != ReplyKind::paused || exchange(reply, death);
}

/// More could be touched of it in a call than a worker may have.
bool Worker::arena_is_large() const {
    return arena_.bytes() >> 20 > program_.limits.memory_mib;
}

/// In its own memory, or in what it has touched of the arena since it was called.
bool Worker::outgrown() {
    if (!process_.watched() && !arena_is_large()) return false;
    const std::uint64_t present_kib = arena_.present_kib();
    if (present_kib > lent_kib_ + (program_.limits.memory_mib << 10)) return true;
    return process_.watched() && process_.outgrown(present_kib);
}

void Worker::end(Fate fate, Death& death) {
    if (fate != Fate::exited) process_.kill();
    const sys::Exit exit = process_.wait();
    if (program_.budget) charge(exit.cpu);
    collect_output();
    death = Death{};
    death.fate = fate;
    if (fate == Fate::exited) {
        death.fate = exit.signalled ? Fate::signalled : Fate::exited;
        death.code = exit.code;
    }
    if (exit.memory_exceeded) death.fate = Fate::memory_exceeded;
    death.peak_kib = exit.peak_kib;
    death.output = text_;
    take_notes(arena_.control(), program_.emulated, death);
}

bool Worker::collect_output() {
    // A worker that closed its end must not wake us again and again.
    if (output_ && !too_much_ && !sys::drain(output_.get(), text_, max_output(program_), too_much_))
        output_.reset();
    return !too_much_;
}

std::string Worker::take_output() {
    collect_output();
    std::string text = std::move(text_);
    text_.clear();
    return text;
}

} // namespace subject
