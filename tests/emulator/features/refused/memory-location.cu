// nvcc: legal
// told: needs no hints here
void f(void* data) {
    cudaMemLocation where{};
    where.id = 0;
}
