#include "kernels/owners.h"

#include "kernels/device_vector.h"

#define LASTING static const

namespace owners {

namespace {

constexpr int n = 10;

float global[n] = {1, 2, 3};
const float constant[n] = {1, 2, 3};
constexpr float known[n] = {1, 2, 3}, half = 0.5f;
const int twice = 2;

struct Tables {
    static constexpr float ramp[n] = {1, 2, 3};
    static const int rows = 3; // defined nowhere
};

__device__ float device_data[n] = {1, 2, 3};
__constant__ float constant_data[n] = {1, 2, 3};
__managed__ float managed_data[n] = {1, 2, 3};

__global__ void read(float* out, const float* from) {
    out[threadIdx.x] = from[threadIdx.x]; // line: read
}

__global__ void write(float* to) {
    to[threadIdx.x] = 1.0f; // line: write
}

__global__ void read_literal(float* out) {
    const char* text = "0123456789";
    out[threadIdx.x] = text[threadIdx.x];
}

__global__ void read_values(float* out) {
    out[threadIdx.x] = half * twice * Tables::rows;
}

__global__ void read_device(float* out) {
    out[threadIdx.x] = device_data[threadIdx.x];
}
__global__ void read_constant(float* out) {
    out[threadIdx.x] = constant_data[threadIdx.x];
}
__global__ void read_managed(float* out) {
    out[threadIdx.x] = managed_data[threadIdx.x];
}

__device__ float from_static(int i) {
    static const float table[n] = {1, 2, 3};
    static int calls = 0;
    atomicAdd(&calls, 1);
    return table[i];
}
__global__ void read_static(float* out) {
    out[threadIdx.x] = from_static(threadIdx.x);
}

__device__ float plus(float v) {
    return v + 1;
}
__device__ float minus(float v) {
    return v - 1;
}
__device__ float (*const functions[])(float) = {plus, minus};
__global__ void call_by_table(float* out) {
    out[threadIdx.x] = functions[threadIdx.x % 2](1.0f);
}

struct Shape {
    __device__ virtual float area() const = 0;
};
struct Square : Shape {
    float side;
    __device__ explicit Square(float s) : side(s) {}
    __device__ float area() const override { return side * side; }
};
__global__ void call_virtual(float* out) {
    const Square square(threadIdx.x);
    const Shape& shape = square;
    out[threadIdx.x] = shape.area();
}

struct Values {
    float data[n];
};
__global__ void read_parameter(float* out, Values values) {
    out[threadIdx.x] = values.data[threadIdx.x];
}

__global__ void read_local(float* out) {
    float local[n];
    for (int i = 0; i < n; ++i)
        local[i] = i;
    const float table[n] = {1, 2, 3};
    out[threadIdx.x] = local[n - 1 - threadIdx.x] + table[threadIdx.x];
}

int copied(const float* from) {
    const DeviceVector<float> out(n);
    read<<<1, n>>>(out.data(), from);
    return cudaDeviceSynchronize();
}

int run(void (*launch)(float*)) {
    const DeviceVector<float> out(n);
    launch(out.data());
    return cudaDeviceSynchronize();
}

} // namespace

int host_stack() {
    const float local[n] = {1, 2, 3};
    return copied(local);
}
int host_heap() {
    const std::vector<float> heap(n, 1.0f);
    return copied(heap.data());
}
int host_global() {
    return copied(global);
}
int host_constant() {
    return copied(constant);
}
int host_constexpr() {
    return copied(known);
}
int host_static() {
    static float first = 1, table[n] = {1, 2, 3};
    table[0] = first;
    return copied(table);
}
int host_static_constant() {
    static constexpr float table[n] = {1, 2, 3};
    return copied(table);
}
int host_static_by_macro() {
    LASTING float table[n] = {1, 2, 3};
    return copied(table);
}
int host_static_unwritten() {
    static float table[n];
    return copied(table);
}
int host_member() {
    return copied(Tables::ramp);
}
int written_by_kernel() {
    static float table[n];
    write<<<1, n>>>(&table[0]);
    return cudaDeviceSynchronize();
}

int literal() {
    return run([](float* out) { read_literal<<<1, n>>>(out); });
}
int constant_values() {
    return run([](float* out) { read_values<<<1, n>>>(out); });
}
int device_variable() {
    return run([](float* out) { read_device<<<1, n>>>(out); });
}
int constant_variable() {
    return run([](float* out) { read_constant<<<1, n>>>(out); });
}
int managed_variable() {
    return run([](float* out) { read_managed<<<1, n>>>(out); });
}
int by_symbol_address() {
    void* address = nullptr;
    cudaGetSymbolAddress(&address, device_data);
    return copied(static_cast<float*>(address));
}
int device_static() {
    return run([](float* out) { read_static<<<1, n>>>(out); });
}
int table_of_functions() {
    return run([](float* out) { call_by_table<<<1, n>>>(out); });
}
int virtual_function() {
    return run([](float* out) { call_virtual<<<1, n>>>(out); });
}
int parameters() {
    return run([](float* out) { read_parameter<<<1, n>>>(out, Values{{1, 2, 3}}); });
}
int local_memory() {
    return run([](float* out) { read_local<<<1, n>>>(out); });
}
int pinned() {
    float* memory = nullptr;
    cudaMallocHost(&memory, n * sizeof(float));
    const int error = copied(memory);
    cudaFreeHost(memory);
    return error;
}
int registered_static() {
    static float table[n] = {1, 2, 3};
    cudaHostRegister(table, sizeof table, cudaHostRegisterDefault);
    const int error = copied(table);
    cudaHostUnregister(table);
    return error;
}

} // namespace owners
