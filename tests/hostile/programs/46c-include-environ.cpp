// Includes the compiler's environment.
#include "contract.h"

#include "/proc/self/environ"
