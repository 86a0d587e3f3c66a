#include "subject/crash_notes.h"

#include <algorithm>
#include <cstring>

namespace subject {

void take_notes(const Control& control, bool emulated, Death& death) {
    if (death.fate == Fate::signalled) {
        death.frames.assign(control.crash, control.crash + std::min(control.crash_frames, max_crash_frames));
        death.fault = control.fault;
        const model::Access access = control.access;
        if (access == model::Access::read || access == model::Access::write) death.access = access;
    }
    if (emulated) death.kernel.assign(control.kernel, strnlen(control.kernel, sizeof control.kernel));
}

} // namespace subject
