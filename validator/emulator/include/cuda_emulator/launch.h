#pragma once

#include <tuple>
#include <type_traits>

/// The name of a kernel that is launched inside a macro, as the macro's user wrote it.
#define CUDA_EMULATOR_TEXT(...) #__VA_ARGS__

/// What the rewriter makes of `kernel<<<grid, block, bytes, stream>>>(arguments)` and of `__shared__`.
namespace cuda_emulator {

/// A launch as written: its configuration and where it stands.
struct Configuration {
    const char* kernel;
    dim3 grid, block;
    std::size_t dynamic_shared;
    cudaStream_t stream;
    const char* file;
    int line;
    bool cooperative = false; ///< all blocks run at once and may wait for each other
};

/// A kernel with its arguments, to be run once by each thread. `run` gets `data`, which `destroy` frees.
struct Work {
    void (*run)(const void* data);
    void (*destroy)(void* data);
    void* data;
    std::size_t bytes;
};

void submit(const Configuration& configuration, const Work& work);

template <class Call>
struct Launcher {
    Configuration configuration;
    Call call;

    template <class... Arguments>
    void operator()(const Arguments&... arguments) const {
        static_assert((std::is_trivially_copyable_v<std::decay_t<const Arguments&>> && ...),
                      "a kernel argument is copied to the device byte by byte: pass pointers, numbers and "
                      "plain structs");
        struct Bound {
            Call call;
            std::tuple<std::decay_t<const Arguments&>...> arguments;
        };
        // A copy of each thread's own: a trace passes over variables that nobody else can see.
        static constexpr auto run = [](const void* data) {
            alignas(Bound) unsigned char copy[sizeof(Bound)];
            __builtin_memcpy(copy, data, sizeof(Bound));
            const auto* bound = reinterpret_cast<const Bound*>(copy);
            std::apply(bound->call, bound->arguments);
        };
        static constexpr auto destroy = [](void* data) { delete static_cast<Bound*>(data); };
        submit(configuration, {run, destroy, new Bound{call, {arguments...}}, sizeof(Bound)});
    }
};

/// Arguments take the types of the kernel's parameters before they are copied to the device.
template <class Call, class... Parameters>
struct TypedLauncher {
    Launcher<Call> launcher;

    void operator()(Parameters... arguments) const { launcher(arguments...); }
};

struct Launch {
    Configuration configuration;

    Launch(const char* kernel, dim3 grid, dim3 block, std::size_t dynamic_shared = 0,
           cudaStream_t stream = nullptr, const char* file = __builtin_FILE(), int line = __builtin_LINE())
        : configuration{kernel, grid, block, dynamic_shared, stream, file, line} {}

    template <class Call>
    Launcher<Call> with(Call call) const {
        return {configuration, call};
    }
    template <class Call, class... Parameters>
    TypedLauncher<Call, Parameters...> typed(void (*)(Parameters...), Call call) const {
        return {{configuration, call}};
    }
};

/// What the rewriter makes of `to = {...}` and `to = make_float4(...)`: the value is put together first, and
/// then stored by one access, as a device stores a vector.
template <class T>
CUDA_EMULATOR_INLINE T& assign(T& to, const std::type_identity_t<T>& value) {
    return to = value;
}

/// Where a static shared variable lies in the block's shared memory; settled anew by each launch that meets
/// it.
struct SharedSlot {
    std::uint64_t launch = 0;
    std::uint32_t offset = 0;
};

extern const std::uint64_t launch_number __asm__("cuda_emulator_launch_number");
extern "C" unsigned char cuda_emulator_static_shared[];
extern "C" unsigned char cuda_emulator_dynamic_shared[];
void place_shared(SharedSlot& slot, std::size_t bytes, std::size_t alignment, const char* names, int line);

template <class T>
CUDA_EMULATOR_INLINE T& shared(const char* names, int line = __builtin_LINE()) {
    static_assert(sizeof(T) <= 48 * 1024,
                  "more than 48 KiB of static shared memory: no device accepts this kernel");
    static_assert(std::is_trivially_default_constructible_v<T> && std::is_trivially_destructible_v<T>,
                  "a __shared__ variable cannot have a constructor or an initial value");
    static SharedSlot slot;
    if (slot.launch != launch_number) place_shared(slot, sizeof(T), alignof(T), names, line);
    return *reinterpret_cast<T*>(cuda_emulator_static_shared + slot.offset);
}

template <class T>
CUDA_EMULATOR_INLINE auto& dynamic_shared() {
    using Array = T[];
    return *reinterpret_cast<Array*>(cuda_emulator_dynamic_shared);
}

/// The first thing a kernel does: refuses a plain call without <<<...>>>, and blocks above __launch_bounds__.
void enter_kernel(const char* kernel, unsigned int launch_bounds, int line);

} // namespace cuda_emulator
