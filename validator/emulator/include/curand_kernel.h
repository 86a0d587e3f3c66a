#error "the emulator has no cuRAND: use a counter-based generator of your own"
