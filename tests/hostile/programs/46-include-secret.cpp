// Includes a file that it may not read, so that its text shows up in the messages.
#include "honest.h"

#include SCENE_SECRET
