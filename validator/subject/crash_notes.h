#pragma once

#include "subject/protocol.h"
#include "subject/worker.h"

namespace subject {

/// Takes over what a worker that has died noted of its end. They are its words, so they are bounded here and
/// decide nothing.
void take_notes(const Control& control, bool emulated, Death& death);

} // namespace subject
