#error "the emulator has the runtime API only: include cuda_runtime.h"
