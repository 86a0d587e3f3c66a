// nvcc: legal
// told: does not run inline PTX
__global__ void k(unsigned* x) {
    unsigned r;
    asm("mov.u32 %0, %%laneid;" : "=r"(r));
    *x = r;
}
