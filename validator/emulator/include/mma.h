#error "the emulator has no tensor cores (nvcuda::wmma)"
