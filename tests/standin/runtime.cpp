// A CUDA runtime library for tests, in front of the emulator's: it refuses in the way that the file `mode`
// names.
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

// What the emulator calls its own, once the stand-in's library has been put together.
cudaError_t emulated_version(int* version) asm("emulated_Z20cudaDriverGetVersionPi");
cudaError_t emulated_count(int* count) asm("emulated_Z18cudaGetDeviceCountPi");
cudaError_t emulated_properties(cudaDeviceProp* properties,
                                int device) asm("emulated_Z23cudaGetDevicePropertiesP14cudaDevicePropi");
cudaError_t emulated_malloc(void** memory, std::size_t bytes) asm("emulated_Z10cudaMallocPPvm");
cudaError_t emulated_stream_wait(cudaStream_t stream) asm("emulated_Z21cudaStreamSynchronizeP11CUstream_st");
cudaError_t emulated_wait() asm("emulated_Z21cudaDeviceSynchronizev");
cudaError_t emulated_copy(void* to, const void* from, std::size_t bytes,
                          cudaMemcpyKind kind) asm("emulated_Z10cudaMemcpyPvPKvm14cudaMemcpyKind");
cudaError_t emulated_stream(cudaStream_t* stream,
                            unsigned flags) asm("emulated_Z25cudaStreamCreateWithFlagsPP11CUstream_stj");
const char* emulated_name(cudaError_t error) asm("emulated_Z16cudaGetErrorName9cudaError");
const char* emulated_words(cudaError_t error) asm("emulated_Z18cudaGetErrorString9cudaError");

namespace {

/// Two that no kernel of the emulator's can meet; numbers and words are CUDA's.
constexpr auto devices_unavailable = static_cast<cudaError_t>(46);
constexpr auto no_kernel_image = static_cast<cudaError_t>(209);

/// Too little for timed calls of full size, which take the emulator minutes.
constexpr std::size_t memory = std::size_t{256} << 20;

bool is_there(const char* name) {
    return access((std::string(STANDIN_STATE "/") + name).c_str(), F_OK) == 0;
}

bool in_mode(const char* wanted) {
    std::string mode;
    std::ifstream(STANDIN_STATE "/mode") >> mode;
    return mode == wanted;
}

/// A GPU that falls off the bus while a submission runs, once a test says so.
bool is_lost() {
    return in_mode("lost") && is_there("gone");
}

/// In a worker, which has an arena: waits for that.
void wait_until_lost() {
    constexpr int arena = 3;
    if (!in_mode("lost") || fcntl(arena, F_GETFD) < 0) return;
    for (int tenths = 0; tenths < 100 && !is_lost(); ++tenths)
        usleep(20000);
}

cudaError_t state_of_kernels() {
    wait_until_lost();
    if (is_lost()) return devices_unavailable;
    if (in_mode("unsupported")) return no_kernel_image;
    if (in_mode("hangs"))
        for (;;)
            pause();
    return cudaSuccess;
}

/// Copies from ordinary memory that have returned, and on a GPU may be under way still. The default stream
/// waits for them, others do not: once there is one, nothing of them is to be seen before the device has been
/// waited for.
struct LateCopy {
    void* to;
    std::vector<char> before, after;
};
std::vector<LateCopy> late_copies;
bool has_stream = false;

void put(void* to, const std::vector<char>& bytes) {
    emulated_copy(to, bytes.data(), bytes.size(), cudaMemcpyHostToDevice);
}

void finish_copies() {
    for (const LateCopy& copy : late_copies)
        if (has_stream) put(copy.to, copy.after);
    late_copies.clear();
}

} // namespace

cudaError_t cudaMemcpy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) {
    if (kind != cudaMemcpyHostToDevice || bytes == 0) {
        finish_copies();
        return emulated_copy(to, from, bytes, kind);
    }
    const auto* begin = static_cast<const char*>(from);
    LateCopy copy{to, std::vector<char>(bytes), {begin, begin + bytes}};
    emulated_copy(copy.before.data(), to, bytes, cudaMemcpyDeviceToHost);
    const cudaError_t error = has_stream ? cudaSuccess : emulated_copy(to, from, bytes, kind);
    if (error == cudaSuccess) late_copies.push_back(std::move(copy));
    return error;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned flags) {
    for (auto copy = late_copies.rbegin(); !has_stream && copy != late_copies.rend(); ++copy)
        put(copy->to, copy->before);
    has_stream = true;
    return emulated_stream(stream, flags);
}

cudaError_t cudaDriverGetVersion(int* version) {
    if (const cudaError_t error = emulated_version(version); error != cudaSuccess) return error;
    if (in_mode("no_driver")) *version = 0;
    if (in_mode("old_driver")) *version = 11080;
    return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int* count) {
    if (in_mode("crashes")) std::abort();
    if (in_mode("no_driver") || in_mode("old_driver")) return cudaErrorInsufficientDriver;
    if (in_mode("no_gpu") || is_lost()) return cudaErrorNoDevice;
    if (in_mode("busy")) return devices_unavailable;
    return emulated_count(count);
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    const cudaError_t error = emulated_properties(properties, device);
    std::strcpy(properties->name, "Stand-in GPU");
    properties->totalGlobalMem = memory;
    if (in_mode("unsupported")) {
        properties->major = 6;
        properties->minor = 1;
    }
    return error;
}

cudaError_t cudaMalloc(void** memory, std::size_t bytes) {
    return in_mode("no_memory") ? cudaErrorMemoryAllocation : emulated_malloc(memory, bytes);
}

cudaError_t cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    *free = memory / 8;
    *total = memory;
    return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    const cudaError_t state = state_of_kernels();
    return state != cudaSuccess ? state : emulated_stream_wait(stream);
}

cudaError_t cudaDeviceSynchronize() {
    const cudaError_t state = state_of_kernels();
    if (state != cudaSuccess) return state;
    finish_copies();
    has_stream = false;
    return emulated_wait();
}

const char* cudaGetErrorName(cudaError_t error) {
    if (error == devices_unavailable) return "cudaErrorDevicesUnavailable";
    if (error == no_kernel_image) return "cudaErrorNoKernelImageForDevice";
    return emulated_name(error);
}

const char* cudaGetErrorString(cudaError_t error) {
    if (error == devices_unavailable) return "CUDA-capable device(s) is/are busy or unavailable";
    if (error == no_kernel_image) return "no kernel image is available for execution on the device";
    return emulated_words(error);
}
