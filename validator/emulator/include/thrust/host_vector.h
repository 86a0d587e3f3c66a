#error "the emulator has no Thrust: allocate with cudaMalloc and write the kernel"
