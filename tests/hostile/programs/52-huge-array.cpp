// An array of 4 GB with an initial value, all of which the object file would hold.
#include "contract.h"

char huge[1ULL << 32] = {1};
