#error "the emulator has no NVTX"
