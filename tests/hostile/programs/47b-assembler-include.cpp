// Lets the assembler include a file, whose lines it would complain about.
#include "honest.h"

asm(".include \"" SCENE_SECRET "\"");
