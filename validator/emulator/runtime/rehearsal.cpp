#include "runtime/rehearsal.h"

#include "emulator/worker.h"

namespace cuda_emulator {
namespace {

bool rehearsal = false;

} // namespace

bool rehearsing() {
    return rehearsal;
}

} // namespace cuda_emulator

void emulator::rehearse(bool on) {
    cuda_emulator::rehearsal = on;
}
