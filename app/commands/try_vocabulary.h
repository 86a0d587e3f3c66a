#pragma once

#include "app/commands.h"

namespace app {

/// try --vocabulary: whether the learner's tokenizer gives the ids that a vocabulary of the user's gives.
ExitCode try_vocabulary(Context& context);

} // namespace app
