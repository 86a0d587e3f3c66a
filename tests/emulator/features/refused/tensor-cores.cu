// nvcc: legal
// told: no tensor cores
#include <mma.h>
__global__ void k() {
    nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> f;
    nvcuda::wmma::fill_fragment(f, 0.0f);
}
