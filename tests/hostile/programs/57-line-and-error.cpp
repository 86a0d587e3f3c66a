// Forges the place of a message, and puts terminal escapes and a workflow command into it.
#include "contract.h"

#line 1 "/etc/passwd"
#error "[32mroot:x:0:0[0m ::set-env name=HOSTILE::1"
