#include "runtime/host_memory.h"

#include "cuda_runtime.h"

#include <map>
#include <unistd.h>

extern "C" {
extern char _end;              ///< the linker's: the heap begins somewhere after it
extern void* __libc_stack_end; ///< of the first thread
}

namespace cuda_emulator {

namespace {

struct HostVariable {
    std::size_t bytes;
    const char* name;
};

/// Filled before main begins, too.
std::map<const volatile char*, HostVariable>& host_variables() {
    static std::map<const volatile char*, HostVariable> all;
    return all;
}

const char* stack_low = nullptr;

} // namespace

bool note_host_variable(const volatile void* address, std::size_t bytes, const char* name) {
    host_variables().insert_or_assign(static_cast<const volatile char*>(address), HostVariable{bytes, name});
    return true;
}

void note_host_stack(const void* frame) {
    stack_low = static_cast<const char*>(frame);
}

std::string host_owner(const void* address) {
    const auto* byte = static_cast<const char*>(address);
    const auto next = host_variables().upper_bound(byte);
    if (next != host_variables().begin()) {
        const auto& [first, variable] = *std::prev(next);
        if (byte < first + variable.bytes)
            return std::string("of `") + variable.name + "`, a variable of the host";
    }
    if (byte >= stack_low && byte < static_cast<char*>(__libc_stack_end)) return "of the host's stack";
    if (byte >= &_end && byte < static_cast<char*>(sbrk(0))) return "of the host's heap";
    return {};
}

} // namespace cuda_emulator
