// Included again and again with NDEBUG on or off, like the C library's: no guard.
#include "cuda_emulator/assertion.h"

#undef assert
#if defined(NDEBUG)
#define assert(expression) (static_cast<void>(0))
#else
#define assert(expression)                                                                                   \
    (static_cast<bool>(expression)                                                                           \
         ? static_cast<void>(0)                                                                              \
         : cuda_emulator::assertion_failed(#expression, __FILE__, __LINE__, __func__))
#endif
