// Ways to read and write vectors. What nvcc makes of each is what a trace has to count: one thread runs each
// kernel, without branches, so each load and store of the PTX happens once.
#include "accesses/accesses.h"

#include <cuda_runtime.h>

namespace {

struct Pair {
    float4 first, second;
};
struct Four {
    float a, b, c, d;
};

#define KERNEL(name) __global__ void name(const float4* a, const float4* b, float4* o, const float* s, float* f)

__device__ float4 operator+(float4 x, float4 y) {
    return make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
}
__device__ float4& operator+=(float4& x, const float4& y) {
    x.x += y.x, x.y += y.y, x.z += y.z, x.w += y.w;
    return x;
}
__device__ float4 operator*(const float4& x, float y) {
    float4 r;
    r.x = x.x * y;
    r.y = x.y * y;
    r.z = x.z * y;
    r.w = x.w * y;
    return r;
}
__device__ float sum(float4 v) {
    return v.x + v.y + v.z + v.w;
}
__device__ float sum_by_reference(const float4& v) {
    return v.x + v.y + v.z + v.w;
}
__device__ void store_by_reference(float4& to, float4 v) {
    to = v;
}
__device__ void store_by_pointer(float4* to, float4 v) {
    *to = v;
}
__device__ float4 halves(float4 v) {
    return {v.x / 2, v.y / 2, v.z / 2, v.w / 2};
}

KERNEL(copy) { o[0] = a[0]; }
KERNEL(variable) {
    float4 v = a[0];
    o[0] = v;
}
KERNEL(braces) { o[0] = {s[0], s[0], s[0], s[0]}; }
KERNEL(named_braces) { o[0] = float4{s[0], s[0], s[0], s[0]}; }
KERNEL(made) { o[0] = make_float4(s[0], s[0], s[0], s[0]); }
KERNEL(plus) { o[0] = a[0] + b[0]; }
KERNEL(plus_assigned) { o[0] += a[0]; }
KERNEL(scaled) { o[0] = a[0] * s[0]; }
KERNEL(scaled_sum) { o[0] = a[0] * s[0] + b[0]; }
KERNEL(by_value) { f[0] = sum(a[0]); }
KERNEL(by_reference) { f[0] = sum_by_reference(a[0]); }
KERNEL(function) { o[0] = halves(a[0]); }
KERNEL(through_reference) { store_by_reference(o[0], a[0]); }
KERNEL(through_pointer) { store_by_pointer(o, a[0]); }
KERNEL(members_of_variable) {
    const float4 v = a[0];
    o[0].x = v.x;
    o[0].y = v.y;
    o[0].z = v.z;
    o[0].w = v.w;
}
KERNEL(members_of_both) {
    o[0].x = a[0].x;
    o[0].y = a[0].y;
    o[0].z = a[0].z;
    o[0].w = a[0].w;
}
KERNEL(members_read) { f[0] = a[0].x + a[0].y + a[0].z + a[0].w; }
KERNEL(member_read) { f[0] = a[0].y; }
KERNEL(members_read_by_reference) {
    const float4& v = a[0];
    f[0] = v.x + v.y + v.z + v.w;
}
KERNEL(members_written_by_reference) {
    float4& v = o[0];
    v.x = s[0];
    v.y = s[1];
    v.z = s[2];
    v.w = s[3];
}
KERNEL(variable_filled) {
    float4 v;
    v.x = s[0];
    v.y = s[1];
    v.z = s[2];
    v.w = s[3];
    o[0] = v;
}
KERNEL(variable_changed) {
    float4 v = a[0];
    v.x += 1;
    o[0] = v;
}
KERNEL(one_member_written) { o[0].z = s[0]; }
KERNEL(cast) { *reinterpret_cast<float4*>(f) = *reinterpret_cast<const float4*>(s); }
KERNEL(cast_of_halves) { *reinterpret_cast<float2*>(f) = *reinterpret_cast<const float2*>(s); }
KERNEL(array) {
    float4 v[2];
    v[0] = a[0];
    v[1] = a[1];
    o[0] = v[1];
    o[1] = v[0];
}
KERNEL(pair) {
    const Pair p = *reinterpret_cast<const Pair*>(a);
    o[0] = p.first;
    o[1] = p.second;
}
KERNEL(pair_written) { *reinterpret_cast<Pair*>(o) = {a[0], b[0]}; }
KERNEL(read_only) { o[0] = __ldg(&a[0]); }
KERNEL(lambda) {
    const auto twice = [](float4 v) { return v + v; };
    o[0] = twice(a[0]);
}
KERNEL(members_through_pointer) {
    const float4* p = a + 1;
    f[0] = p->x + p->y + (*p).z + (*p).w;
}
KERNEL(half_of_the_members) { f[0] = a[0].x + a[0].y; }
KERNEL(members_of_two) {
    o[0].x = a[0].x + b[0].x;
    o[0].y = a[0].y + b[0].y;
    o[0].z = a[0].z + b[0].z;
    o[0].w = a[0].w + b[0].w;
}
KERNEL(members_of_a_pair) {
    const Pair* p = reinterpret_cast<const Pair*>(a);
    f[0] = p->second.x + p->second.y + p->second.z + p->second.w;
}
KERNEL(members_with_a_store_between) {
    f[0] = a[0].x;
    f[1] = a[0].y;
}
KERNEL(two_doubles) {
    const double2* p = reinterpret_cast<const double2*>(a);
    f[0] = static_cast<float>(p[0].x + p[0].y);
}
KERNEL(three) { reinterpret_cast<float3*>(f)[0] = reinterpret_cast<const float3*>(s)[0]; }
KERNEL(four) { reinterpret_cast<Four*>(f)[0] = reinterpret_cast<const Four*>(s)[0]; }
KERNEL(scalars) {
    f[0] = s[0];
    f[1] = s[1];
    f[2] = s[2];
    f[3] = s[3];
}
KERNEL(floats) {
    for (int i = 0; i < 4; ++i)
        f[i] = s[i];
}

/// One thread of a kernel.
void launch(void (*kernel)(const float4*, const float4*, float4*, const float*, float*)) {
    float* memory = nullptr;
    cudaMalloc(&memory, 40 * sizeof(float));
    cudaMemset(memory, 0, 40 * sizeof(float));
    auto* vectors = reinterpret_cast<float4*>(memory);
    kernel<<<1, 1>>>(vectors, vectors + 2, vectors + 4, memory + 24, memory + 32);
    cudaFree(memory);
}

#define ROW(name, accesses) {#name, [] { launch(name); }, accesses}

} // namespace

// The bytes of each load, and of each store.
extern const Kernel kernels[] = {
    ROW(copy, "16 -> 16"),
    ROW(variable, "16 -> 16"),
    ROW(braces, "4 -> 16"),
    ROW(named_braces, "4 -> 16"),
    ROW(made, "4 -> 16"),
    ROW(plus, "16 16 -> 16"),
    ROW(plus_assigned, "16 16 -> 16"),
    ROW(scaled, "4 16 -> 16"),
    ROW(scaled_sum, "4 16 16 -> 16"),
    ROW(by_value, "16 -> 4"),
    ROW(by_reference, "16 -> 4"),
    ROW(function, "16 -> 16"),
    ROW(through_reference, "16 -> 16"),
    ROW(through_pointer, "16 -> 16"),
    ROW(members_of_variable, "16 -> 16"),
    ROW(members_of_both, "16 -> 16"),
    ROW(members_read, "16 -> 4"),
    ROW(member_read, "4 -> 4"),
    ROW(members_read_by_reference, "16 -> 4"),
    ROW(members_written_by_reference, "4 4 4 4 -> 4 4 4 4"),
    ROW(variable_filled, "4 4 4 4 -> 16"),
    ROW(variable_changed, "16 -> 16"),
    ROW(one_member_written, "4 -> 4"),
    ROW(cast, "16 -> 16"),
    ROW(cast_of_halves, "8 -> 8"),
    ROW(array, "16 16 -> 16 16"),
    ROW(pair, "16 16 -> 16 16"),
    ROW(pair_written, "16 16 -> 16 16"),
    ROW(read_only, "16 -> 16"),
    ROW(lambda, "16 -> 16"),
    ROW(members_through_pointer, "16 -> 4"),
    ROW(half_of_the_members, "8 -> 4"),
    ROW(members_of_two, "16 16 -> 16"),
    ROW(members_of_a_pair, "16 -> 4"),
    ROW(members_with_a_store_between, "4 4 -> 4 4"),
    ROW(two_doubles, "16 -> 4"),
    ROW(three, "4 4 4 -> 4 4 4"),
    ROW(four, "4 4 4 4 -> 4 4 4 4"),
    ROW(scalars, "4 4 4 4 -> 4 4 4 4"),
    ROW(floats, "4 4 4 4 -> 4 4 4 4"),
};
extern const int kernel_count = sizeof kernels / sizeof kernels[0];
