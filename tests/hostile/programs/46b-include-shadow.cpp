// Includes the password file.
#include "contract.h"

#include "/etc/passwd"
