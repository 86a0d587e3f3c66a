#include "grading/words.h"

#include "model/check.h"

#include <csignal>
#include <cstring>
#include <fmt/format.h>

namespace grading {
namespace {

using events::Finding;
using model::Fate;
using model::Verdict;

/// A worker that ended with nine tenths of its memory in use ran out of it, whichever way it died.
bool ran_out_of_memory(const Finding& finding, const model::Limits& limits) {
    if (finding.fate == Fate::memory_exceeded) return true;
    return finding.fate == Fate::signalled && finding.peak_kib > limits.memory_mib * 1024 / 10 * 9;
}

bool by_sanitizer(const Finding& finding) {
    return finding.fate == Fate::exited && (finding.code == model::undefined_behaviour_status ||
                                            finding.code == model::address_sanitizer_status ||
                                            finding.code == model::thread_sanitizer_status);
}

Verdict verdict_of_death(const Finding& finding, const model::Limits& limits) {
    if (finding.fate == Fate::timed_out || (finding.fate == Fate::signalled && finding.code == SIGXCPU))
        return Verdict::time_limit_exceeded;
    if (finding.fate == Fate::output_exceeded) return Verdict::output_limit_exceeded;
    if (ran_out_of_memory(finding, limits)) return Verdict::memory_limit_exceeded;
    return Verdict::run_time_error;
}

std::string signal_words(int signal) {
    switch (signal) {
    case SIGSEGV: return "crashed: it used memory that is not its own (SIGSEGV)";
    case SIGBUS: return "crashed: it used an address that does not exist (SIGBUS)";
    case SIGFPE: return "crashed: an integer was divided by zero (SIGFPE)";
    case SIGABRT: return "aborted (SIGABRT): a failed assertion, or abort() was called";
    case SIGILL: return "ran into an instruction that must not be reached (SIGILL)";
    case SIGTRAP: return "stopped at a trap (SIGTRAP)";
    default: return fmt::format("was ended by signal {} ({})", signal, strsignal(signal));
    }
}

/// What an access went past the end of, or before the beginning of.
std::string memory_of_argument(const Finding& finding) {
    return finding.parameter.empty() ? fmt::format("the memory of its argument {}", finding.argument)
                                     : fmt::format("`{}`", finding.parameter);
}

std::string past_end_words(const Finding& finding) {
    const char* did = finding.access == model::Access::read    ? "read"
                      : finding.access == model::Access::write ? "wrote"
                                                               : "read or wrote";
    const std::string where =
        finding.line > 0 ? fmt::format("\nin line {} of {}", finding.line, finding.file) : "";
    return fmt::format("{} {} past the end of {}{}\nwhich index, size or vector load is used there?",
                       finding.function, did, memory_of_argument(finding), where);
}

std::string time_words(const Finding& finding, const model::Limits& limits) {
    using model::OutOfTime;
    // Some builds and some cases have more than the problem's limit.
    const std::int64_t limit_ms = finding.limit_ms > 0 ? finding.limit_ms : limits.wall.count();
    const std::string within = fmt::format("{} gave no answer within {} ms", finding.function, limit_ms);
    if (finding.out_of_time == OutOfTime::budget)
        return fmt::format("{} was stopped: the calls of all tests together used up {} s\n"
                           "each call ends, but takes far too long: which loop does more than it has to?",
                           finding.function, limit_ms / 1000);
    if (finding.out_of_time == OutOfTime::crowded)
        return within + ", twice: other programs kept the machine busy\ntry again when less is running";
    if (!finding.kernel.empty())
        return fmt::format("{}: a kernel does not end\nit is {}\na loop whose condition never changes, or a "
                           "thread that waits for another one without a barrier?",
                           within, finding.kernel);
    if (finding.out_of_time == OutOfTime::sleeping)
        return fmt::format("{} waits for ever: in {} ms it did not return, and hardly computed anything\n"
                           "a deadlock, a thread that is never woken, or a sleep?",
                           finding.function, limit_ms);
    if (finding.out_of_time == OutOfTime::computing)
        return within + " of CPU time\nan endless loop, or far more work than the task needs?";
    return within + "\nan endless loop, a deadlock or a sleep?";
}

std::string death_words(const Finding& finding, const model::Limits& limits) {
    const std::string call = finding.function;
    if (finding.before) {
        if (finding.fate == Fate::timed_out)
            return fmt::format(
                "your program did not get as far as its first call: something that runs before any function "
                "of yours (a static object?) takes longer than {} ms",
                limits.wall.count());
        return fmt::format(
            "your program ended before {} could be called\nsomething runs at program start: a static "
            "object's constructor, perhaps, that exits or crashes",
            call);
    }
    if (finding.fate == Fate::timed_out) return time_words(finding, limits);
    if (finding.fate == Fate::output_exceeded)
        return fmt::format("{} printed more than {} KiB\ntake debugging output out of the loop", call,
                           limits.output_kib);
    if (finding.fate == Fate::broke_protocol)
        return fmt::format(
            "{} wrote over memory that belongs to the judge\nan index or pointer went far out of bounds",
            call);
    if (finding.fate == Fate::exited) {
        if (by_sanitizer(finding))
            return fmt::format("{} did something undefined; the checked build says where, below", call);
        return fmt::format(
            "{} ended the program with exit status {} instead of returning\na function must return, "
            "whatever it finds",
            call, finding.code);
    }
    if (finding.code == SIGXCPU)
        return fmt::format("{} used more than {} s of CPU time", call, limits.cpu.count());
    if (ran_out_of_memory(finding, limits) && finding.peak_kib / 1024 < limits.memory_mib / 10 * 9)
        return fmt::format("{} used up the {} MiB of memory it may have", call, limits.memory_mib);
    if (ran_out_of_memory(finding, limits))
        return fmt::format("{} used {} MiB of memory; the limit is {} MiB", call, finding.peak_kib / 1024,
                           limits.memory_mib);
    if (finding.argument > 0) return past_end_words(finding);
    if (finding.line > 0)
        return fmt::format("{} {}\nin line {} of {}\nwhich index, size or pointer is used there?", call,
                           signal_words(finding.code), finding.line, finding.file);
    return fmt::format("{} {}\nindices and sizes are the usual suspects; submit-build adds a checked build "
                       "that names the line",
                       call, signal_words(finding.code));
}

std::string mismatch_words(const Finding& finding) {
    if (!finding.text.empty()) return finding.text;
    if (finding.untouched) return finding.mismatch->what + " was never written";
    return "wrong value in " + finding.mismatch->what;
}

std::string circumstances(const Finding& finding) {
    std::string words;
    if (!finding.call.empty()) words += "\nThe last call was " + finding.call + ".";
    if (!finding.context.empty()) words += "\nwith " + finding.context;
    return words;
}

} // namespace

Verdict verdict_of(const Finding& finding, const model::Limits& limits) {
    switch (finding.kind) {
    case Finding::Kind::mismatch:
    case Finding::Kind::assertion:
    case Finding::Kind::changed_input:
    case Finding::Kind::left_modes: return Verdict::wrong_answer;
    case Finding::Kind::threw:
    case Finding::Kind::device_failed:
    case Finding::Kind::overrun: return Verdict::run_time_error;
    case Finding::Kind::died: return verdict_of_death(finding, limits);
    case Finding::Kind::not_implemented: return Verdict::not_implemented;
    case Finding::Kind::out_of_memory: return Verdict::memory_limit_exceeded;
    case Finding::Kind::broken_suite: return Verdict::judge_error;
    }
    return Verdict::judge_error;
}

std::string words_for(const Finding& finding, const model::Limits& limits) {
    std::string words;
    switch (finding.kind) {
    case Finding::Kind::mismatch: words = mismatch_words(finding); break;
    case Finding::Kind::assertion: words = finding.text; break;
    case Finding::Kind::died: words = death_words(finding, limits); break;
    case Finding::Kind::threw:
        words = fmt::format(
            "an exception came out of your code: {}{}\nthe contract reports problems by its Status",
            finding.type, finding.text.empty() ? "" : " (" + finding.text + ")");
        break;
    case Finding::Kind::not_implemented: words = finding.function + " is not implemented yet"; break;
    case Finding::Kind::out_of_memory:
        words = fmt::format(
            "{} asked for more memory than there is; the limit is {} MiB\nis a size computed wrongly?",
            finding.function, limits.memory_mib);
        break;
    case Finding::Kind::device_failed:
        words = fmt::format(
            "the device reports an error after {}: {}\nlook with cudaPeekAtLastError() after each launch",
            finding.function, finding.text);
        break;
    case Finding::Kind::overrun:
        words = fmt::format("{} wrote {} {}\na loop bound or an offset is off", finding.function,
                            finding.before ? "before" : "past the end of", memory_of_argument(finding));
        break;
    case Finding::Kind::changed_input:
        words = fmt::format("{} changed its argument {}, which is an input and must stay as it is",
                            finding.function, finding.argument);
        break;
    case Finding::Kind::left_modes:
        words = fmt::format(
            "{} left the modes of floating-point arithmetic changed (rounding, tiny numbers, or traps)"
            "\nset them back before each return, even where there is nothing to do",
            finding.function);
        break;
    case Finding::Kind::broken_suite: words = "the judge itself failed in this test: " + finding.text; break;
    }
    return words + circumstances(finding);
}

bool aborted(const Finding& finding) {
    return finding.kind == Finding::Kind::died && finding.fate == Fate::signalled &&
           finding.code == SIGABRT && !finding.before;
}

std::string words_for(const Finding& finding, const diagnosis::FailedAssertion& assertion) {
    const std::string where =
        finding.line > 0 ? fmt::format("in line {} of {}\n", finding.line, finding.file) : "";
    return fmt::format("{} {}\n{}{}", finding.function, assertion.words, where, assertion.advice) +
           circumstances(finding);
}

} // namespace grading
