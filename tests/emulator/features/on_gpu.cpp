#include "feature.h"

#include <cstdio>

/// Tries each feature of a file on a GPU; a line for each, and whether it worked.
int main() {
    int failed = 0;
    for (int i = 0; i < feature_count; ++i) {
        const bool works = features[i].works();
        const cudaError_t error = cudaDeviceSynchronize();
        std::printf("%s %s\n", features[i].name, works && error == cudaSuccess ? "works" : "fails");
        if (error != cudaSuccess) std::printf("  %s\n", cudaGetErrorString(error));
        failed += !works || error != cudaSuccess;
        cudaDeviceReset();
    }
    return failed;
}
