#error "the emulator has no asynchronous copies: copy through a register, then sync the group"
