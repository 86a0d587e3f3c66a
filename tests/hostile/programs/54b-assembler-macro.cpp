// An assembler macro that calls itself.
#include "contract.h"

asm(".macro again\nagain\n.endm\nagain\n");
