// nvcc: legal
// told: the cache needs no hints here
void f(void* data) {
    cudaAccessPolicyWindow window{};
    window.base_ptr = data;
}
