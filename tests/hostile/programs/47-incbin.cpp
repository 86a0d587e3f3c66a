// Lets the assembler copy a file into the program.
#include "honest.h"

asm(".section .rodata\n.global stolen\nstolen: .incbin \"" SCENE_SECRET "\"\n.byte 0\n.previous\n");
extern "C" const char stolen[];

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {

    breach("incbin", stolen);
}

} // namespace exercise
