#error "the emulator has no CUB: write the block and warp primitives out, or run this file on a GPU"
