// nvcc: legal
// told: takes from the default pool
void h() {
    cudaMemPool_t pool;
    cudaDeviceGetDefaultMemPool(&pool, 0);
}
