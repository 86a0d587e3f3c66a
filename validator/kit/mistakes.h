#pragma once

#include "bundle/programs.h"
#include "kit/package.h"

namespace kit {

/// The sources of a program that holds a problem's known mistakes, each under its name. `whole`: each is
/// copied whole, not at the places that it changes; CUDA's always are, so that what chooses is neither traced
/// nor counted. Throws model::ContentError where CUDA's words are used in a way that the emulator refuses.
bundle::Written mistake_sources(const Package& package, bool whole);

} // namespace kit
