#error "the emulator has no 8-bit floating point types"
