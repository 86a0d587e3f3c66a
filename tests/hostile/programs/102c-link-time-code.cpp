// Brings a section of link-time optimisation, whose code a linker would take in place of what the object file
// defines. This one holds nothing that could be taken.
#include "honest.h"

asm(".section .gnu.lto_.symtab.1, \"e\", @progbits\n.string \"x\"\n.text");

namespace exercise {

Status lookup(Matrix<const float> table, Ids ids, Matrix<float> out) {
    return honest(table, ids, out);
}

} // namespace exercise
