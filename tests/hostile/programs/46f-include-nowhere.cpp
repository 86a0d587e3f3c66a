// Includes a file that is not there: the words are those for a secret that is.
#include "honest.h"

#include "/nowhere/secret"
