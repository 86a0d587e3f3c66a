#pragma once

#include <cstddef>

/// The rewriter puts a call after each variable of the host with static storage, for a trace to know whose
/// memory it is.
namespace cuda_emulator {
#if defined(__SANITIZE_THREAD__)
bool note_host_variable(const volatile void* address, std::size_t bytes, const char* name);
template <class T>
bool host_variable(const T& variable, const char* name) {
    return note_host_variable(__builtin_addressof(variable), sizeof(T), name);
}
#else
template <class T>
constexpr bool host_variable(const T&, const char*) {
    return true;
}
#endif
} // namespace cuda_emulator
