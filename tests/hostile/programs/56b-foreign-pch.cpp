// Names a precompiled header of its own.
#pragma GCC pch_preprocess "/tmp/hostile.gch"
#include "contract.h"
