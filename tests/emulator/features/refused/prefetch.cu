// nvcc: legal
// told: needs no hints here
void h(void* p, cudaMemLocation place) {
    cudaMemPrefetchAsync(p, 4, place, 0);
}
