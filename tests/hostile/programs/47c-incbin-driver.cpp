// Lets the assembler copy the driver, and with it the reference, into the program.
#include "honest.h"

asm(".section .rodata\n.global stolen\nstolen: .incbin \"" SCENE_DRIVER "\"\n.byte 0\n.previous\n");
extern "C" const char stolen[];

namespace exercise {

Status lookup(Matrix<const float>, Ids, Matrix<float>) {
    breach("incbin", stolen + 1);
}

} // namespace exercise
