// Includes a file without end.
#include "contract.h"

#include "/dev/zero"
