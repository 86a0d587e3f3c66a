#error "the emulator has no cuBLAS"
