// Lets the assembler write 16 GB.
#include "contract.h"

asm(".data\n.fill 16000000000, 1, 65\n.previous\n");
