#include "runtime/faults.h"

#include "runtime/block.h"
#include "runtime/findings.h"

#include <array>
#include <csignal>
#include <link.h>
#include <memory>
#include <ucontext.h>

namespace cuda_emulator {

using emulator::FindingKind;

namespace {

constexpr std::array<int, 5> signals{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
constexpr std::size_t signal_stack_bytes = 64 * 1024;
constexpr int general_protection =
    0x80; ///< SI_KERNEL: on x86 a misaligned vector access, or no address at all

std::array<struct sigaction, signals.size()> earlier;
stack_t earlier_stack;

const void* instruction_of(const void* context) {
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
#if defined(__x86_64__)
    return reinterpret_cast<const void*>(machine.gregs[REG_RIP]);
#elif defined(__aarch64__)
    return reinterpret_cast<const void*>(machine.pc);
#else
#error "the emulator knows x86-64 and aarch64"
#endif
}

struct Diagnosis {
    FindingKind kind;
    cudaError_t error;
    const char* message;
};

Diagnosis diagnose(int signal, const siginfo_t& info) {
    if (signal == SIGFPE)
        return {FindingKind::division_by_zero, cudaErrorLaunchFailure,
                "An integer is divided by zero in a kernel."};
    if (signal == SIGILL || signal == SIGTRAP)
        return {FindingKind::device_trap, cudaErrorLaunchFailure,
                "The kernel reached an instruction that traps."};
    // Beyond the end of a file that is mapped, as what a worker is lent is, there is no memory either.
    const bool misaligned = (signal == SIGBUS && info.si_code == BUS_ADRALN) ||
                            (signal == SIGSEGV && info.si_code == general_protection);
    if (misaligned)
        return {FindingKind::misaligned, cudaErrorMisalignedAddress,
                "A kernel uses an address that is not a multiple of the accessed type's alignment."};
    if (fibers.in_guard(info.si_addr))
        return {FindingKind::stack_overflow, cudaErrorHardwareStackError,
                "A thread of the kernel used up its 64 KiB stack: endless recursion, or very large local "
                "arrays."};
    return {FindingKind::illegal_address, cudaErrorIllegalAddress,
            "A kernel uses an address where no memory is: a null pointer, a host pointer, or an index gone "
            "wild."};
}

void handle(int signal, siginfo_t* info, void* context) {
    if (!in_kernel || block == nullptr || block->current == nullptr) {
        // Not ours: happens again, with the handler that stood before.
        for (std::size_t i = 0; i < signals.size(); ++i)
            if (signals[i] == signal) sigaction(signal, &earlier[i], nullptr);
        return;
    }
    const Diagnosis found = diagnose(signal, *info);
    emulator::Finding finding{.kind = found.kind,
                              .message = found.message,
                              .kernel = current_launch->kernel,
                              .thread = thread_id(block->current->thread),
                              .where = {{}, 0, program_offset(instruction_of(context))},
                              .other = {},
                              .other_thread = {}};
    report(std::move(finding));
    abort_kernel(found.error);
}

} // namespace

FaultGuard::FaultGuard() {
    static const auto signal_stack = std::make_unique<char[]>(signal_stack_bytes);
    stack_t stack{};
    stack.ss_sp = signal_stack.get();
    stack.ss_size = signal_stack_bytes;
    sigaltstack(&stack, &earlier_stack);
    struct sigaction action {};
    action.sa_sigaction = handle;
    // The handler leaves by switching stacks and never returns, so the signal must not stay blocked.
    action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
    for (std::size_t i = 0; i < signals.size(); ++i)
        sigaction(signals[i], &action, &earlier[i]);
}

FaultGuard::~FaultGuard() {
    for (std::size_t i = 0; i < signals.size(); ++i)
        sigaction(signals[i], &earlier[i], nullptr);
    sigaltstack(&earlier_stack, nullptr);
}

unsigned long program_offset(const void* instruction) {
    static const unsigned long base = [] {
        unsigned long found = 0;
        dl_iterate_phdr(
            [](dl_phdr_info* program, std::size_t, void* out) {
                *static_cast<unsigned long*>(out) = program->dlpi_addr;
                return 1; // the first is the program itself
            },
            &found);
        return found;
    }();
    return reinterpret_cast<unsigned long>(instruction) - base;
}

} // namespace cuda_emulator
