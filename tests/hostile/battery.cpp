#include "battery.h"

namespace hostile {
namespace {

using model::Verdict;
using enum Fails;

constexpr Verdict wrong = Verdict::wrong_answer;
constexpr Verdict run_time = Verdict::run_time_error;
constexpr Verdict too_long = Verdict::time_limit_exceeded;
constexpr Verdict no_compile = Verdict::compile_error;

constexpr const char* breach = "BREACH";
constexpr const char* started = "your program ended before lookup could be called";
constexpr const char* no_answer = "lookup gave no answer within 1000 ms of CPU time";
constexpr const char* waits_forever = "lookup waits for ever: in 1000 ms it did not return";
constexpr const char* all_spent = "lookup was stopped: the calls of all tests together used up 2 s";
constexpr const char* instead = "instead of returning";
constexpr const char* four_rows = "four ids pick four rows";
constexpr const char* third_row = "id 3 picks the fourth row";
constexpr const char* random_shapes = "random shapes agree with the reference";
constexpr const char* protocol = "wrote over memory that belongs to the judge";

/// An attack that comes to nothing: the right answer is given all the same.
constexpr Row in_vain(const char* file, const char* mechanism, const Terms& terms) {
    return {file, mechanism, Verdict::accepted, "", nothing, "", terms};
}

constexpr Row rows[] = {
    // clang-format off
    // Time, memory, processes, output
    {"01-spin", "deadline per call, SIGKILL", too_long, no_answer, marked},
    {"02-sleep", "deadline per call", too_long, waits_forever, marked},
    {"03-stop", "deadline per call, SIGKILL", too_long, waits_forever, marked},
    in_vain("04-fork-bomb", "seccomp filter", {.control = breach}),
    in_vain("05-thread-bomb", "RLIMIT_NPROC of a user of its own", {.own_user = true, .control = breach}),
    in_vain("06-memory-bomb", "RLIMIT_AS", {.control = breach}),
    in_vain("07-memfd-bomb", "seccomp filter", {.control = breach}),
    in_vain("08-disk-filler", "Landlock, RLIMIT_FSIZE", {.control = breach}),
    {"09-output-flood", "capped pipe", Verdict::output_limit_exceeded, "lookup printed more than 64 KiB", marked},
    // Beyond the process
    in_vain("10-tcp-connect", "seccomp filter", {.control = breach}),
    in_vain("11-other-sockets", "seccomp filter", {.control = breach}),
    in_vain("12-read-hidden", "Landlock", {.control = breach}),
    in_vain("13-read-host", "Landlock", {.control = breach}),
    {"14-fake-report", "output is never parsed; a reply is required", run_time, instead, marked},
    {"15-exit-at-start", "sign of life before the first call", run_time, started, everything},
    {"16b-strong-override", "symbols of the object file", no_compile, "which belongs to the C library"},
    {"16-symbol-override", "comparison in another process", wrong, "wrong value in out", first_named, four_rows},
    {"17-fd-spray", "no descriptor leads to the report"},
    in_vain("18-inherited-fds", "close_range", {.no_control = "a process outside has the descriptors its parent gave it"}),
    {"19-scribble-arena", "private counters and descriptors", run_time, protocol, marked},
    {"20-replies-ahead", "private counters", run_time, protocol, marked},
    {"20b-early-reply", "outputs are taken once, at the reply", wrong, "out was never written", marked},
    in_vain("21-truncate-arena", "seals, seccomp filter", {.no_control = "there is no arena outside"}),
    in_vain("22-ptrace-parent", "non-dumpable driver, seccomp filter", {.control = breach}),
    in_vain("23-kill-parent", "seccomp filter, scoped signals", {.control = breach}),
    in_vain("24-starve-parent", "seccomp filter", {.control = breach}),
    {"25-segv", "worker's fate, seen by its parent", run_time, "SIGSEGV", marked},
    {"25b-abort", "worker's fate", run_time, "SIGABRT", marked},
    {"25c-stack-overflow", "worker's fate", run_time, "SIGSEGV", marked},
    {"25d-pthread-exit", "a reply is required", run_time, "lookup", marked},
    {"25e-bus-error", "worker's fate", run_time, "SIGBUS", marked},
    {"25f-divide-by-zero", "worker's fate", run_time, "SIGFPE", marked},
    {"26-exit", "a reply is required", run_time, instead, marked},
    {"26b-raw-exit", "a reply is required", run_time, instead, marked},
    {"26c-quick-exit", "outputs are compared, whoever replies", wrong, "out was never written", marked},
    {"27-throw-escapes", "text is escaped", run_time, "an exception came out of your code: std::runtime_error", marked},
    {"28-throw-int", "catch-all in the worker", run_time, "an exception came out of your code: int", marked},
    {"28b-evil-what", "worker's fate", run_time, "SIGSEGV", marked},
    {"28c-endless-what", "deadline per call", too_long, no_answer, marked},
    {"28d-huge-what", "text is bounded", run_time, "an exception came out of your code", marked},
    {"28e-terminate-handler", "a reply is required", run_time, instead, marked},
    {"29-crash-for-refusal", "a death is no refusal", run_time, "was ended by signal 9", first_named,
     "an id equal to the vocabulary size is refused"},
    in_vain("30-daemon", "seccomp filter", {.control = breach}),
    {"31-late-writer", "outputs are taken once, at the reply"},
    {"31b-late-work", "outputs are taken once, at the reply", wrong, "out was never written", marked},
    {"32-mutate-input", "inputs are compared with private copies", wrong, "lookup changed its argument 1", marked},
    {"33-overrun", "canaries", run_time, "wrote past the end of `out`", marked},
    {"33b-underrun", "canaries", run_time, "wrote before `out`", marked},
    {"33c-far-overrun", "exact-size copies in the checked build", run_time, "lookup", marked, "", {.graded = true}},
    {"34-nan-output", "NaN matches nothing by accident", wrong, "wrong value in out", first_named, four_rows},
    in_vain("35-memory-scan", "expected values live in the driver alone", {.no_control = "nothing to find outside either"}),
    {"36-writes-nothing", "outputs start as poison", wrong, "out was never written", first_named, four_rows},
    {"37-cross-call-cache", "several calls of one shape", wrong, "wrong value in out", first_named, third_row},
    in_vain("38-proc-snoop", "Landlock; empty environment", {.control = breach}),
    in_vain("39-escalate", "seccomp filter, no_new_privs, unprivileged user", {.control = breach}),
    in_vain("40-exec-preload", "Landlock, seccomp filter", {.control = "uid="}),
    in_vain("41-kernel-surface", "seccomp filter", {.control = breach}),
    in_vain("42-symlink-out", "Landlock, seccomp filter", {.control = breach}),
    in_vain("43-rewrite-binary", "Landlock, seccomp filter", {.control = breach}),
    in_vain("44-devices", "Landlock", {.control = breach}),
    {"45-close-fds", "deadline per call", too_long, waits_forever, marked},
    // Against the compiler
    {"46-include-secret", "Landlock around the compiler", no_compile, "this file cannot be included"},
    {"46f-include-nowhere", "one sentence for what is there and what is not", no_compile, "this file cannot be included"},
    {"46b-include-shadow", "Landlock around the compiler", no_compile, ""},
    {"46c-include-environ", "Landlock around the compiler", no_compile, ""},
    {"46d-include-suite", "Landlock around the compiler", no_compile, ""},
    {"46e-include-reference", "Landlock around the compiler", no_compile, ""},
    {"47-incbin", "Landlock around the compiler", no_compile, ""},
    {"47c-incbin-driver", "Landlock around the compiler", no_compile, ""},
    {"47b-assembler-include", "Landlock around the compiler", no_compile, ""},
    {"48-include-devices", "Landlock around the compiler", no_compile, ""},
    in_vain("48b-include-stdin", "no device in sight; else empty standard input", {.or_else = no_compile}),
    in_vain("49-has-include", "no file in sight; else it may not be read", {.or_else = no_compile}),
    {"49b-embed", "Landlock around the compiler", no_compile, ""},
    {"50-template-bomb", "template depth", no_compile, "template"},
    {"51-constexpr-loop", "constexpr operation limit", no_compile, "constexpr"},
    {"52-huge-array", "RLIMIT_FSIZE, RLIMIT_AS", no_compile, ""},
    {"52b-assembler-fill", "RLIMIT_FSIZE", no_compile, ""},
    {"53-macro-bomb", "RLIMIT_AS", no_compile, ""},
    {"54-self-include", "include depth", no_compile, ""},
    {"54b-assembler-macro", "macro depth", no_compile, ""},
    {"54c-parentheses", "RLIMIT_AS, RLIMIT_STACK", no_compile, ""},
    {"55-warning-flood", "capped pipe", no_compile, ""},
    {"56-pragmas", "fixed command line"},
    {"56b-foreign-pch", "Landlock around the compiler", no_compile, ""},
    {"57-line-and-error", "messages are text, and escaped", no_compile, ""},
    {"58-init-array", "sign of life before the first call", run_time, started, everything},
    {"59-own-makefile", "only the named files are compiled"},
    // Signals, jumps, exits, threads
    {"60-forging-handler", "outputs are compared, whoever replies", wrong, "out was never written", marked},
    {"61-longjmp", "outputs are compared", wrong, "out was never written", first_named, third_row},
    {"61b-jump-out-of-signal", "its own process is its own business"},
    {"62-atexit", "outputs are compared, whoever replies", wrong, "out was never written", marked},
    {"62b-destructor", "a reply is required", run_time, instead, marked},
    {"63-outliving-thread", "fresh worker a test, SIGKILL"},
    in_vain("64-loader-variables", "seccomp filter, closed program descriptor", {.no_control = "it would run for ever"}),
    {"65-ifunc", "sign of life before the first call", run_time, started, everything},
    {"66-huge-alignment", "RLIMIT_AS"},
    {"66b-aligned-static", "RLIMIT_FSIZE", no_compile, ""},
    in_vain("67-raise-limits", "seccomp filter, hard limits", {.control = breach}),
    in_vain("68-personality", "seccomp filter", {.control = breach}),
    in_vain("69-prctl", "seccomp filter", {.control = breach}),
    {"70-stack-clash", "worker's fate", run_time, "SIGSEGV", marked},
    // Two builds
    {"71-right-when-checked", "both builds must pass", wrong, "wrong value in out", marked, "", {.graded = true}},
    {"71b-wrong-when-checked", "both builds must pass", wrong, "wrong value in out", marked, "", {.graded = true}},
    {"72-detects-sanitizer", "symbols of the object file", no_compile, "Your file uses `__asan_init`"},
    {"72b-detects-by-heap", "both builds must pass", wrong, "wrong value in out", marked, "", {.graded = true}},
    {"72c-depends-on-time", "both builds must pass", wrong, "wrong value in out", marked, "", {.graded = true}},
    {"73-counts-calls", "more calls in one case", wrong, "wrong value in out", first_named,
     "random shapes agree with the reference"},
    {"74-reads-poison", "one test brings an output of its own", wrong, "", first_named,
     "padding between output rows stays as it was"},
    {"74b-trusts-canary", "canaries hold no answers", wrong, "wrong value in out", marked},
    // The judge's half of the worker
    {"75-shim-symbol", "one definition", no_compile, ""},
    {"75b-own-main", "one definition", no_compile, ""},
    {"75c-start-symbol", "symbols of the object file", no_compile, "which belongs to the C library"},
    {"76-overwrite-table", "symbols of the object file", no_compile, "which belongs to the judge"},
    {"76b-short-reply", "replies are checked for size", run_time, protocol, marked},
    {"76c-long-reply", "replies are bounded", run_time, protocol, marked},
    {"76d-unknown-reply", "replies are checked for kind", run_time, protocol, marked},
    {"76e-forged-status", "every status can be printed", wrong, "the returned Status is wrong", marked},
    {"77-reply-before-main", "outputs are compared, whoever replies", wrong, "out was never written", first_named, four_rows, {.waits = true, .tests = 2}},
    {"78-full-eventfd", "the driver never blocks on a bell"},
    {"78b-stolen-bells", "the driver never blocks on a bell"},
    // Texts
    {"79-bidi-source", "the compiler reads what is there", wrong, "", first_named,
     "an id equal to the vocabulary size is refused"},
    {"79b-bidi-message", "text is escaped", run_time, "an exception came out of your code", marked},
    {"79c-homoglyph", "the linker reads what is there", no_compile, ""},
    {"80-workflow-commands", "text is escaped and fenced", wrong, "wrong value in out", marked},
    {"80b-binary-output", "text is escaped", wrong, "wrong value in out", marked},
    {"81-blocked-signals", "SIGKILL", too_long, no_answer, marked},
    // Other doors
    in_vain("82-clone-flags", "seccomp filter", {.control = breach}),
    {"83-thirty-two-bit", "the filter knows one architecture", run_time, "", marked, "", {.no_control = "not every kernel has this door"}},
    {"83b-x32", "the filter knows one architecture", run_time, "", marked, "", {.no_control = "not every kernel has this door"}},
    in_vain("84-signal-by-descriptor", "seccomp filter", {.control = breach}),
    in_vain("85-type-on-terminal", "seccomp filter, own session", {.no_control = "it would type into this terminal"}),
    in_vain("86-lock-memory", "seccomp filter, RLIMIT_AS", {.control = breach}),
    in_vain("87-hidden-in-checked", "the checked build is confined too", {.graded = true}),
    {"87b-memory-in-checked", "limits bind both builds", Verdict::memory_limit_exceeded, "", marked, "", {.graded = true}},
    {"88-sanitizer-options", "symbols of the object file", no_compile, "which belongs to the sanitizers"},
    {"88b-sanitizer-callback", "symbols of the object file", no_compile, "which belongs to the sanitizers"},
    {"88c-not-instrumented", "words that the preprocessor refuses", no_compile, "out of what checks it", nothing, "", {.control = breach, .sanitized_control = true}},
    {"88d-forged-finding", "a finding can only fail", run_time, "lookup", marked, "", {.graded = true}},
    in_vain("89-self-debug", "seccomp filter", {.control = breach}),
    {"90-calls-reference", "reference and submission are never linked", no_compile, ""},
    in_vain("90b-loads-reference", "Landlock", {.no_control = "glibc does not load programs as libraries anyway"}),
    {"91-hang-at-start", "deadline for the sign of life", too_long, "did not get as far as its first call", everything, "", {.tests = 1}},
    {"92-locked-output", "deadline per call", too_long, waits_forever, marked},
    // Switching off what observes
    {"93-unpoisons", "symbols of the object file", no_compile, "Your file uses `__asan_unpoison_memory_region`", nothing, "", {.control = breach, .sanitized_control = true}},
    {"93b-swallows-reports", "symbols of the object file", no_compile, "Your file defines `__asan_report_store4`", nothing, "", {.control = breach, .sanitized_control = true}},
    {"93c-finds-by-name", "symbols of the object file", no_compile, "finds functions by their names", nothing, "", {.control = breach, .sanitized_control = true}},
    {"94-endless-when-checked", "limits bind both builds", too_long, "gave no answer", first_named, four_rows, {.graded = true}},
    {"94b-hungry-when-checked", "limits bind both builds", Verdict::memory_limit_exceeded, "more memory than there is", marked, "", {.graded = true}},
    {"95-blinds-the-report", "each checked worker ends with a control", run_time, "not proven", marked, "", {.graded = true}},
    {"95b-redefines-shim", "symbols of the object file", no_compile, "which belongs to the judge"},
    {"95c-races", "a third build looks for data races", run_time, "undefined", marked, "", {.graded = true}},
    {"95d-hides-a-race", "each checked worker ends with a control", run_time, "not proven", marked, "", {.graded = true}},
    {"96-line-marker", "source check", no_compile, "for preprocessors to write"},
    in_vain("96b-options-in-macros", "options are the judge's", {.graded = true}),
    // What a compile costs and says
    {"101-doubled-names", "names are not demangled", no_compile, "Your file defines `subject::take`, which belongs to the judge"},
    {"101b-message-flood", "capped pipe", no_compile, "The compiler was stopped after 1 MiB of messages"},
    {"101c-warning-flood", "capped pipe", no_compile, "The compiler was stopped after 1 MiB of messages"},
    {"101d-undefined-flood", "capped pipe", no_compile, "The linker was stopped after 1 MiB of messages"},
    {"101e-preprocessor-flood", "capped pipe", no_compile, "The preprocessor was stopped after 1 MiB of messages"},
    // Replacing what the checks rest on, and asking which build it is
    {"102-weak-malloc", "symbols of the object file", no_compile, "Your file defines `malloc`", nothing, "", {.control = breach, .sanitized_control = true}},
    {"102b-weak-memcpy", "symbols of the object file", no_compile, "Your file defines `memcpy`", nothing, "", {.control = breach, .sanitized_control = true}},
    {"102c-link-time-code", "the linker takes symbols as they were checked"},
    {"103-told-by-allocator", "all builds have the same macros", run_time, "lookup", marked, "", {.graded = true}},
    in_vain("103b-told-by-threads", "all builds have the same macros", {.graded = true, .control = breach}),
    // Time
    {"104-slow-in-every-call", "a budget of CPU time", too_long, all_spent, first_named, random_shapes, {.spends = true}},
    {"104b-sleeps-in-every-call", "a budget of proven sleep", too_long, all_spent, first_named, random_shapes, {.spends = true}},
    {"104c-lying-clock", "the kernel's count of CPU time", too_long, all_spent, first_named, random_shapes, {.spends = true}},
    {"105-deadlock", "proven sleep of all threads", too_long, waits_forever, marked},
    {"105b-polls", "proven sleep, without what it computed", too_long, waits_forever, marked},
    {"105c-many-threads", "control: threads that come and go", Verdict::accepted, "", nothing, "", {.graded = true}},
    {"97-loads-past-the-end", "pages after arguments", run_time, "lookup read past the end of `table`", first_named, third_row, {.graded = true}},
    {"97b-loads-high-past-the-end", "pages after arguments", run_time, "lookup read past the end of `table`", first_named, third_row, {.graded = true}},
    {"97c-streams-past-the-end", "pages after arguments", run_time, "lookup wrote past the end of `out`", first_named,
     "equal ids give equal rows", {.graded = true}},
    // What honest beginners do
    {"p01-wrong-value", "comparison", wrong, "wrong value in out", marked},
    {"p02-ok-for-a-refusal", "comparison", wrong, "the returned Status is wrong", first_named,
     "an id equal to the vocabulary size is refused"},
    {"p03-throws", "catch-all in the worker", run_time, "std::runtime_error (no row for you)", marked},
    {"p04-memory-hog", "RLIMIT_AS", Verdict::memory_limit_exceeded, "asked for more memory than there is", marked},
    {"p05-missing", "linker", no_compile, ""},
    {"p06-wrong-signature", "linker", no_compile, ""},
    {"p07-syntax", "compiler", no_compile, ""},
    {"p08-starter", "a type of its own", Verdict::not_implemented, "lookup is not implemented yet", everything},
    {"p09-empty", "source check", no_compile, "the file is empty"},
    {"p10-not-utf8", "source check", no_compile, "not UTF-8"},
    {"p11-nul", "source check", no_compile, "NUL byte"},
    in_vain("p12-honest", "control: nothing is wrong with it", {.graded = true}),
    {"p13-plainly-wrong", "control: comparison", wrong, "wrong value in out", first_named, four_rows, {.graded = true}},
    {"p14-crash", "worker's fate", run_time, "SIGSEGV", marked},
    {"p15-empty-call-crash", "worker's fate", run_time, "SIGABRT", first_named, "no ids mean no rows"},
    {"p16-not-implemented-once", "a type of its own", Verdict::not_implemented, "lookup is not implemented yet", marked},
    in_vain("p17-vectors", "control: every access is within the arguments", {.graded = true}),
    // clang-format on
};

} // namespace

std::span<const Row> battery() {
    return rows;
}

} // namespace hostile
