// nvcc: refused
// told: mark it __device__
struct Pair {
    int a;
    Pair(int v) : a(v) {}
};
__global__ void k(int* x) {
    Pair p(3);
    x[0] = p.a;
}
