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

/// An argument as a launch keeps it: the bytes of a value, as the device gets them, or where a reference
/// points.
template <class Parameter>
struct Kept {
    static_assert(!std::is_rvalue_reference_v<Parameter>,
                  "a __global__ function cannot have a parameter of rvalue reference type");
    alignas(Parameter) unsigned char bytes[sizeof(Parameter)];

    explicit Kept(const Parameter& value) {
        __builtin_memcpy(bytes, __builtin_addressof(value), sizeof bytes);
    }
    Parameter& get() { return *reinterpret_cast<Parameter*>(bytes); }
};
template <class T>
struct Kept<T&> {
    T* address;

    explicit Kept(T& object) : address(__builtin_addressof(object)) {}
    T& get() { return *address; }
};

/// Hands a kernel over: each thread gets a copy of the arguments.
template <class Call, class... Parameters>
void submit_call(const Configuration& configuration, Call call, Kept<Parameters>... arguments) {
    struct Bound {
        Call call;
        std::tuple<Kept<Parameters>...> arguments;
    };
    // A copy of each thread's own: a trace passes over variables that nobody else can see.
    static constexpr auto run = [](const void* data) {
        alignas(Bound) unsigned char copy[sizeof(Bound)];
        __builtin_memcpy(copy, data, sizeof(Bound));
        auto* bound = reinterpret_cast<Bound*>(copy);
        std::apply([bound](auto&... kept) { bound->call(kept.get()...); }, bound->arguments);
    };
    static constexpr auto destroy = [](void* data) { delete static_cast<Bound*>(data); };
    submit(configuration, {run, destroy, new Bound{call, {arguments...}}, sizeof(Bound)});
}

/// A launch of a function that only its arguments choose, by overload or as a template: they are taken by
/// their own types.
template <class Call>
struct Launcher {
    Configuration configuration;
    Call call;

    template <class... Arguments>
    void operator()(const Arguments&... arguments) const {
        static_assert((std::is_trivially_copyable_v<std::decay_t<const Arguments&>> && ...),
                      "a kernel argument is copied to the device byte by byte: pass pointers, numbers and "
                      "plain structs");
        submit_call<Call, std::decay_t<const Arguments&>...>(
            configuration, call, Kept<std::decay_t<const Arguments&>>(arguments)...);
    }
};

/// How a function gets such a parameter. One that has a constructor or a destructor to be called is in memory
/// of the caller's, and the function gets its address; no thread of a device calls either.
template <class Parameter>
using Passed = std::conditional_t<std::is_reference_v<Parameter> ||
                                      std::is_trivially_copy_constructible_v<std::decay_t<Parameter>>,
                                  Parameter, Parameter&>;

/// A kernel that is one function: arguments become its parameters where it is launched, as in any call.
template <class... Parameters>
struct KernelTaking {
    void (*function)(Parameters...);

    template <class Call>
    struct Launcher {
        Configuration configuration;
        void (*function)(Parameters...);
        Call call;

        void operator()(Parameters... arguments) const {
            if constexpr ((std::is_same_v<Passed<Parameters>, Parameters> && ...))
                submit_call<Call, Parameters...>(configuration, call, Kept<Parameters>(arguments)...);
            else
                submit_call<void (*)(Passed<Parameters>...), Parameters...>(
                    configuration, reinterpret_cast<void (*)(Passed<Parameters>...)>(function),
                    Kept<Parameters>(arguments)...);
        }
        /// Some parameters have default arguments, or there is an error to be told.
        template <class... Arguments>
        requires(sizeof...(Arguments) != sizeof...(Parameters)) void
        operator()(const Arguments&... arguments) const {
            cuda_emulator::Launcher<Call>{configuration, call}(arguments...);
        }
    };
};

/// Asks what a kernel's name stands for; does not compile for a name of several functions.
struct Probe {
    template <class... Parameters>
    KernelTaking<Parameters...> operator()(void (*function)(Parameters...)) const {
        return {function};
    }
};

struct Launch {
    Configuration configuration;

    Launch(const char* kernel, dim3 grid, dim3 block, std::size_t dynamic_shared = 0,
           cudaStream_t stream = nullptr, const char* file = __builtin_FILE(), int line = __builtin_LINE())
        : configuration{kernel, grid, block, dynamic_shared, stream, file, line} {}

    /// `probed` gives the kernel to a probe, `call` calls it.
    template <class Probed, class Call>
    auto with(Probed probed, Call call) const {
        if constexpr (std::is_invocable_v<Probed, Probe>) {
            const auto kernel = probed(Probe{});
            return typename decltype(probed(Probe{}))::template Launcher<Call>{configuration, kernel.function,
                                                                               call};
        } else {
            return Launcher<Call>{configuration, call};
        }
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
