// Embeds a secret file the way of C23.
#include "honest.h"

const unsigned char stolen[] = {
#embed SCENE_SECRET
};
