#error "the emulator has no cooperative groups: use __syncthreads, __syncwarp and the _sync shuffles"
