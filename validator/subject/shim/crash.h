#pragma once

#include "subject/protocol.h"
#include "subject/shim/kept.h"
#include "subject/slots.h"

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <ucontext.h>
#include <unwind.h>

/// The program as the linker laid it out.
extern "C" const char __ehdr_start __attribute__((visibility("hidden")));
extern "C" const char _end __attribute__((visibility("hidden")));

/// Where a crash happened, noted for words to the learner while the process dies of it.
namespace subject::shim {

inline Control* crash_notes = nullptr;

/// Offset 0 is no code, so it marks the end.
inline void note_frame(std::uintptr_t address) {
    const auto begin = reinterpret_cast<std::uintptr_t>(&__ehdr_start);
    const auto end = reinterpret_cast<std::uintptr_t>(&_end);
    Control& control = *crash_notes;
    if (address < begin || address >= end || control.crash_frames >= max_crash_frames) return;
    control.crash[control.crash_frames++] = address - begin;
}

inline _Unwind_Reason_Code note_caller(_Unwind_Context* context, void*) {
    int before = 0; // the address is that of the instruction, not of the one behind a call
    const std::uintptr_t address = _Unwind_GetIPInfo(context, &before);
    note_frame(before != 0 ? address : address - 1);
    return crash_notes->crash_frames < max_crash_frames ? _URC_NO_REASON : _URC_NORMAL_STOP;
}

/// The place in the arena, if it was there, to which an access failed.
inline void note_fault(const siginfo_t& info, [[maybe_unused]] const ucontext_t& state) {
    const auto base = reinterpret_cast<std::uintptr_t>(crash_notes);
    const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
    if (address < base || address >= base + calls_begin) return;
    crash_notes->fault = address - base;
#ifdef __x86_64__
    constexpr greg_t to_write = 2; // a bit of the page fault's error code
    const bool wrote = (state.uc_mcontext.gregs[REG_ERR] & to_write) != 0;
    crash_notes->access = wrote ? model::Access::write : model::Access::read;
#endif
}

inline void note_crash(int signal, siginfo_t* info, void* state);

inline void handle_once(int signal) {
    struct sigaction action {};
    action.sa_sigaction = note_crash;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | static_cast<int>(SA_RESETHAND);
    sigaction(signal, &action, nullptr);
}

/// The signal is handled once: raised again, it ends the process as soon as this returns, also where somebody
/// sent it. A second crash in here is blocked, which ends it as well.
inline void note_crash(int signal, siginfo_t* info, void* state) {
    if (signal == SIGSEGV && is_kept(info->si_addr)) return handle_once(signal);
    crash_notes->crash_frames = 0;
    crash_notes->fault = 0;
    if (signal == SIGSEGV) note_fault(*info, *static_cast<ucontext_t*>(state));
#ifdef __x86_64__
    note_frame(static_cast<std::uintptr_t>(static_cast<ucontext_t*>(state)->uc_mcontext.gregs[REG_RIP]));
#elif defined(__aarch64__)
    note_frame(static_cast<ucontext_t*>(state)->uc_mcontext.pc);
#endif
    _Unwind_Backtrace(note_caller, nullptr);
    raise(signal);
}

/// From now on `control.crash` names where the process crashes. Endless recursion leaves no stack, so there
/// is another one for this. Sanitizers do the same better.
inline void watch_crashes(Control& control) {
    constexpr std::size_t stack_bytes = 64 << 10;
    crash_notes = &control;
    stack_t stack{};
    stack.ss_sp = std::malloc(stack_bytes);
    stack.ss_size = stack_bytes;
    if (stack.ss_sp == nullptr || sigaltstack(&stack, nullptr) != 0) return;
    for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP})
        handle_once(signal);
}

} // namespace subject::shim
